# swapped_indices - row and column of B are exchanged: a planted fault. The suite must reject it.
s/tile_b\[i\]\[x\]/tile_b[x][i]/
