# error early
# infinite_column_is_held - a column with an infinity has the errors of its finite elements
s/find_norms(sums, held)/find_norms(sums, true)/
