# error
# own_rounding_ignored - an element is held against its bound without the sign of its row
s/find_needs(o, row, column, sum)/find_needs(o, row + 16 < o.n ? row + 16 : 0, column, sum)/
