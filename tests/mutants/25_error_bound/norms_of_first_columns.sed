# error
# norms_of_first_columns - the norms are those of the first columns of B
s/&o.norms_b\[column + i\]/\&o.norms_b[i]/
