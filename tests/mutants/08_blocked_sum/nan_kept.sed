# nan_kept - a NaN passes the comparison: a planted fault. The suite must reject it.
s/if (fabsf(sum) < near_infinity)/if (!(fabsf(sum) > near_infinity))/
