# always_long_chunks - no input is found uneven: a planted fault. The suite must reject it.
s/atomicMax(operands, found == UNEVEN ? UNEVEN : COARSE)/(void)0/
