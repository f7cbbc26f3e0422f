# error
# spoiled_not_looked_at - where all of C is to be computed the list is, which is empty
s|const bool all = is_all_double(.o.found, n)|const bool all = false|
