# error
# enough_for_one_lane - one lane says whether the bound of a sub-tile is enough
s/__all_sync(~0u, \(store_first(.*needs)\))/__shfl_sync(~0u, \1, 0)/
