# error
# magnitudes_of_first_segment - magnitudes of a column's segments lie on each other
s/find_magnitudes(column, k, o.n)/find_magnitudes(column, 0, o.n)/
