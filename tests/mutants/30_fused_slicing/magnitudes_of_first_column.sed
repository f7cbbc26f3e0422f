# error
# magnitudes_of_first_column - magnitudes are those of a block's first column
s/find_magnitudes(column, k, o.n)/find_magnitudes(column \/ 8 * 8, k, o.n)/
