# no_memset - the sums begin with what was in the memory of C: a planted fault. The suite must reject it.
/cudaMemsetAsync(p.c, 0,/,/);/d
