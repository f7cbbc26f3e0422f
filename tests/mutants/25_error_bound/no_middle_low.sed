# error
# no_middle_low - the bound lacks what x1 y2 makes
s/ + x.middle \* y.low//
