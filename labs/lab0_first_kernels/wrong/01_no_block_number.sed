# expect 0: 768 of 1024 elements are never written; the first: y\[256\]
# full
# file task01_index.cu
s/blockIdx.x \* BLOCK + threadIdx.x/threadIdx.x/
