# error at n = 1025
# part_of_the_first - each block has the rows of the first one
s/o.matrix_b + first \* o.ldb/o.matrix_b/
