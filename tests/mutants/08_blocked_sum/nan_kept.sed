# error
# nan_kept - a NaN passes the comparison
s/if (fabsf(sum) < near_infinity)/if (!(fabsf(sum) > near_infinity))/
