# expect 0: shared race: task06_barrier.cu
# file task06_barrier.cu
# full
s/^enum { BLOCK/#undef __syncthreads\n#define __syncthreads() ((void)0)\n&/
