# error
# replaces_first_column - an element is computed again from the first column of B
s/1, b + column, ld, n)/1, b, ld, n)/
