# error
# enough_for_one_lane - one lane says whether the bound of a sub-tile is enough
s|__all_sync(~0u, enough)|__shfl_sync(~0u, enough, 0)|
