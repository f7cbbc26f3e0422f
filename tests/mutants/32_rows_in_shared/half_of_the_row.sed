# error
# half_of_the_row - the largest element is looked for in the first half of a row
s/\*)row, o.n)/*)row, o.n \/ 2)/
