# expect 0: 0 words read from shared memory
# file task06_barrier.cu
# full
/part\[/{s/part\[i\]/a[start + i]/;/part\[thread\]/d};/__syncthreads/d
