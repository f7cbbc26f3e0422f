# expect 0: 40960 sectors loaded, 128 needed.*0 words read from shared memory
# file task05_shared.cu
/__shared__/d;/part\[thread\] = /d;s/part\[j\]/x[first + j]/;s/part\[thread\]/x[first + thread]/
