# error
# no_memset - the sums begin with what was in the memory of C
/cudaMemsetAsync(p.c, 0,/,/);/d
