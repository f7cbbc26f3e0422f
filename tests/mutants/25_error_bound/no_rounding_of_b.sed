# error
# no_rounding_of_b - the bound lacks what the rounding of B makes
s/x.rounding \* y.all + x.all \* y.rounding/x.rounding * y.all/
