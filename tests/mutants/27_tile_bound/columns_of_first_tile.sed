# error
# columns_of_first_tile - the worst column is that of the first tile
s/find_worst(&o.norms_b\[column\])/find_worst(o.norms_b)/
