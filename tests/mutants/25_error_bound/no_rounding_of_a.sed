# error
# no_rounding_of_a - the bound lacks what the rounding of A makes
s/return x.rounding \* y.all + x.all/return x.all/
