# expect 0: divergent barrier: task06_barrier.cu:14.*\(another one there\)
# gpu 10: 6/6 task
# file task06_barrier.cu
s/__syncthreads(); \/\* the part is complete.*/if (thread < 64) __syncthreads(); else __syncthreads();/
