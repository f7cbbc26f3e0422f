# error at n = 1025
# negative_not_set - nobody is told of negative elements
s/if (negative && threadIdx.x == 0)/if (false)/
