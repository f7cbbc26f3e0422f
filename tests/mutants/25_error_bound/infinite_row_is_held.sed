# error
# infinite_row_is_held - a row with an infinity has the errors of its finite elements
s/find_norms(sums, held)/find_norms(sums, true)/
