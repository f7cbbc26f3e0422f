# error
# magnitudes_of_first_row - all magnitudes are stored as those of the first row
s/find_magnitudes(y, i/find_magnitudes(0, i/
