# error
# forgotten_accumulator - leaves the third accumulator at 0
s/d + e < SLICES/d + e < 2/
