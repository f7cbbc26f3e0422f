# no_rounding - leaves the errors of rounding out of the bound: a planted fault. The suite must reject it.
s/left.rounding \* right.all + left.all \* right.rounding +/0 +/
