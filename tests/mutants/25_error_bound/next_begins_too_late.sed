# error
# next_begins_too_late - the first that comes next is left out
s|  next = atomicAdd|  next = 1 + atomicAdd|
