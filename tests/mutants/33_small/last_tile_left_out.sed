# error
# last_tile_left_out - the last row of blocks is left out
s/matmult_kernel<<<dim3(tiles, tiles)/matmult_kernel<<<dim3(tiles, tiles - (tiles > 1))/
