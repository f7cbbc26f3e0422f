# overflow_kept - what overflowed stays as it is: a planted fault. The suite must reject it.
s/if (fabsf(sum) < near_infinity)/if (true)/
