# last_partial_sum - the last partial sum is lost: a planted fault. The suite must reject it.
s/k < n; k += LENGTH/k + LENGTH < n + 1; k += LENGTH/
