# error
# mended_by_one_lane - after the second pass one lane says whether a sub-tile is mended
s/__all_sync(~0u, is_tile_mended(info, row, sum))/__shfl_sync(~0u, is_tile_mended(info, row, sum), 0)/
