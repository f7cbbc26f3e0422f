# error
# split_tiles_forgotten - what does not stay whole is left out
s/parts = tiles - whole,/parts = whole,/
