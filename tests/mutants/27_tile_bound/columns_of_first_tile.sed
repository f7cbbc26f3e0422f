# error
# columns_of_first_tile - the worst column is that of the first tile
s/&o.norms_b\[column\];/o.norms_b;/
