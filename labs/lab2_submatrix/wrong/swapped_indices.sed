# expect 0: x
s/tile_b\[i\]\[x\]/tile_b[x][i]/
