# expect 61: elements are wrong
# full
s/tile_b\[i\]\[x\]/tile_b[x][i]/
