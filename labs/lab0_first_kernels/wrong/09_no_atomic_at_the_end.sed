# expect 0: global race
# file task09_histogram.cu
# full
s/atomicAdd(&counts\[thread\], part\[thread\])/counts[thread] += part[thread]/
