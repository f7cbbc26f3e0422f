# error
# next_begins_too_late - the first that comes next is left out
s/next = gridDim.x + atomicAdd/next = 1 + gridDim.x + atomicAdd/
