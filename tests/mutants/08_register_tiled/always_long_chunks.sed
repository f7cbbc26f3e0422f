# always_long_chunks - no input is found uneven: a planted fault. The suite must reject it.
/atomicOr(uneven, 1)/s/atomicOr(uneven, 1)/(void)0/
