# error
# overflow_kept - what overflowed stays as it is
s/if (fabsf(sum) < near_infinity)/if (true)/
