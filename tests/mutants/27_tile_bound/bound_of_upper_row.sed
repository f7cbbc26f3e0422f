# error
# bound_of_upper_row - the lower row is held against the bound of the upper one
s/threadIdx.x % 32 \/ 4 + 8 \* j\]/threadIdx.x % 32 \/ 4]/
