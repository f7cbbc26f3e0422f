# error
# smallest_of_one_row - the lower rows are held against the smallest sum of the upper ones
s/hiloint2double(smallest\[j\]/hiloint2double(smallest[0]/
