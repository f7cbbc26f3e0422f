# expect 0: 5000 atomic additions in global memory, 76 needed
# full
# file task09_histogram.cu
s/atomicAdd(&part\[x\[i\] + 9\], 1)/atomicAdd(\&counts[x[i] + 9], 1)/;/atomicAdd(&counts\[thread/d;/if (thread < BINS)$/{N;/atomicAdd/d}
