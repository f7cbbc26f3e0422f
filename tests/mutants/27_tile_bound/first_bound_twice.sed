# error
# first_bound_twice - in the second pass too the bound is that of the upper row of a lane
s/threadIdx.x % 32 \/ 4 + j \* 8\]/threadIdx.x % 32 \/ 4]/
