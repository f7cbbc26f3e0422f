# error
# no_rounding - leaves the errors of rounding out of the bound
s/left.rounding \* right.all + left.all \* right.rounding +/0 +/
