# fault: at common/wanted_columns.h
# list_over_count - the first strip is written over the count
s/list\[1 + atomicAdd(list, 1)\]/list[atomicAdd(list, 1)]/
