# error
# next_sub_tiles_of_upper_block - in the second pass both blocks have the rows of the upper tile
s/produce<2>(&pipe, o, min(row + rank \* TILE, o.n - TILE)/produce<2>(\&pipe, o, min(row, o.n - TILE)/
