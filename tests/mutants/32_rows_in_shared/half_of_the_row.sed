# error
# half_of_the_row - the largest element is looked for in the first half of a row
s/find_largest(\(.*\), o.n)/find_largest(\1, o.n \/ 2)/
s/find_row_scale(\(.*\), o.n)/find_row_scale(\1, o.n \/ 2)/
