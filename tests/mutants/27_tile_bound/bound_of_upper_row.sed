# error
# bound_of_upper_row - the lower row is held against the bound of the upper one
s/o.norms_a\[row + 8 \* j\]/o.norms_a[row]/
