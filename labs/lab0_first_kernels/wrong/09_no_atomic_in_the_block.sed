# expect 0: shared race
# file task09_histogram.cu
s/atomicAdd(&part\[x\[i\] + 9\], 1)/part[x[i] + 9]++/
