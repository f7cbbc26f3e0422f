# error
# no_low_low - the bound lacks what x2 y2 makes
s|16 \* x1 + x2 / 32|16 * x1|
