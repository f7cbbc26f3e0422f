# expect 0: out of bounds: task01_index.cu:11: read past the 4096 bytes of x
# file task01_index.cu
s/blockIdx.x \* BLOCK + threadIdx.x/threadIdx.x * BLOCK + blockIdx.x/
