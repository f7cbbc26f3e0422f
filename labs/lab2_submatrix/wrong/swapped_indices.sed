# expect 53: it is the product with B transposed
# full
s/tile_b\[i\]\[x\]/tile_b[x][i]/
