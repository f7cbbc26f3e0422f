# error
# norms_of_first_rows - the norms are those of the first rows of A
s/&o.norms_a\[row + i\]/\&o.norms_a[i]/
