# error
# no_low_middle - the bound lacks what x2 y1 makes
s/ + x.low \* y.middle//
