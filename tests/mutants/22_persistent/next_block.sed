# next_block - each block goes on with the tile of the next: a planted fault. The suite must reject it.
s/i += gridDim.x)$/i += gridDim.x + 1)/
