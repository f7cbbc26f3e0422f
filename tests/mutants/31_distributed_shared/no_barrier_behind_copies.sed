# error early at n = 1025
# no_barrier_behind_copies - a thread reads what others copy without waiting for them
s/^    __syncthreads(); .. the part is complete.*//
