# error
# row_of_its_own - a block slices one row for all of its group
s/matrix_a\[y \* o.n/matrix_a[y \/ 2 * 2 * o.n/
