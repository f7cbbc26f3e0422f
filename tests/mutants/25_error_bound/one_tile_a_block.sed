# error
# one_tile_a_block - where all of C is computed a block takes one tile
s/i < count; i = next/i < count; i = all ? ~0u : next/
