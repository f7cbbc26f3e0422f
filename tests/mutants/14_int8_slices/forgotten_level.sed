# error
# forgotten_level - leaves the third level out
s/d + e < SLICES/d + e < 2/
