# expect 61: elements are wrong
s/tile_b\[i\]\[x\]/tile_b[x][i]/
