# error
# next_block - each block goes on with the tile of the next
s/i += gridDim.x)$/i += gridDim.x + 1)/
