# error
# no_low_low - the bound lacks what x2 y2 makes
s| + x.low \* y.low / 256||
