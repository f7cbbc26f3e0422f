# error
# one_tile_a_block - where all of C is computed a block takes one tile
/all ? whole \* whole/s/i += gridDim.x/i = all ? ~0u : i + gridDim.x/
