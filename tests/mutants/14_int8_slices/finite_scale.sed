# error
# finite_scale - the scale of a row with a NaN is 0
s/: NAN;/: 0;/
