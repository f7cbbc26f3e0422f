# list_over_count - the first strip is written over the count: a planted fault. The suite must reject it.
s/list\[1 + atomicAdd(list, 1)\]/list[atomicAdd(list, 1)]/
