# error
# signs_kept - the sums of x0 y0 have signs
s/^        x\[i\] = .*//
