# error
# row_of_its_own - a block slices one row for all of its group
s/matrix_a\[blockIdx.x \* o.n/matrix_a[blockIdx.x \/ 2 * 2 * o.n/
