# error
# one_lane_is_asked - only the first lane's elements are held against the bound
s/!__all_sync(~0u, good)/!__shfl_sync(~0u, good, 0)/
