# error
# magnitudes_of_first_rows - |x0| is that of the first rows
s/find_magnitudes(row, 0, o.n)/find_magnitudes(0, 0, o.n)/
