# error
# norms_of_one_warp - of a row's norms only the first warp's part is kept
s/if (threadIdx.x % 32 == 0)$/if (threadIdx.x == 0)/
