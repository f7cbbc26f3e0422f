# expect 37: it is the product with B transposed
s/tile_b\[i\]\[x\]/tile_b[x][i]/
