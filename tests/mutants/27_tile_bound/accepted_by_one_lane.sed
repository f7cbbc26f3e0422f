# error
# accepted_by_one_lane - after the second pass one lane says whether a sub-tile is accepted
s/__all_sync(~0u, is_tile_accepted(info, row, sum))/__shfl_sync(~0u, is_tile_accepted(info, row, sum), 0)/
