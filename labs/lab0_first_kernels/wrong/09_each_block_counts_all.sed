# expect 0: each count is 4 times as high: each of the 4 blocks counts all of x
# file task09_histogram.cu
s/int i = blockIdx.x \* BLOCK + thread; i < n; i += BLOCKS \* BLOCK/int i = thread; i < n; i += BLOCK/
