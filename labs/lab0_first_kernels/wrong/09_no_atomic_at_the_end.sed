# expect 0: global race: task09_histogram.cu:20: two blocks write the same element in any order
# file task09_histogram.cu
# full
s/atomicAdd(&counts\[thread\], part\[thread\])/counts[thread] += part[thread]/
