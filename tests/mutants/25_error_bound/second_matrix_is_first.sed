# error
# second_matrix_is_first - B is sliced once more in place of A
s/v < n ? o.c + v \* n : o.matrix_a + (v - n) \* n/o.c + v % n * n/
