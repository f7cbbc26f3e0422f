# error
# next_overflow_or_bound - in the second pass nobody asks for the bound
s/enough &=$/(void)/
