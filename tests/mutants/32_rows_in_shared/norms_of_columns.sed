# error
# norms_of_columns - norms of rows are stored as those of columns
s/store_norms(o, o.n + y/store_norms(o, y/
