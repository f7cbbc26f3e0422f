# error
# bound_of_upper_row - the lower row is held against the bound of the upper one
s/error_bound(info->a\[y + j \* 8\]/error_bound(info->a[y]/
