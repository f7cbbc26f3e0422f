# always_long_partial_sums - no operand is classified: a planted fault. The suite must reject it.
s/atomicMax(operands, found == STRUCTURED ? STRUCTURED : COARSE)/(void)0/
