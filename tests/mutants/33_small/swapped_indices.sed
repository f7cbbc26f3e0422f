# error
# swapped_indices - row and column of B are exchanged
s/tile_b\[i\]\[x\]/tile_b[x][i]/
