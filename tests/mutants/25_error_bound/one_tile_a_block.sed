# error
# one_tile_a_block - where all of C is computed a block takes one tile
/i < whole \* whole/s/i += gridDim.x/i = whole * whole/
