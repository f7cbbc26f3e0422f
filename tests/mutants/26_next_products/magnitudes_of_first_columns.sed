# error
# magnitudes_of_first_columns - |y0| is that of the first columns
s/find_magnitudes(column, 0, o.n)/find_magnitudes(0, 0, o.n)/
