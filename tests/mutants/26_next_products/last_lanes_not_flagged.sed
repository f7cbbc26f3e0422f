# error
# last_lanes_not_flagged - what the upper half of a warp's lanes need is not asked
s/__reduce_or_sync(~0u, (unsigned)needs)/__reduce_or_sync(~0u, threadIdx.x % 32 < 16 ? (unsigned)needs : 0)/
