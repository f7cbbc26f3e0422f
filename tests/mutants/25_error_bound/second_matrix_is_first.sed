# error
# second_matrix_is_first - B is sliced once more in place of A
s/blockIdx.x < n ? first + blockIdx.x \* n : second + (blockIdx.x - n) \* n/first + blockIdx.x % n * n/
