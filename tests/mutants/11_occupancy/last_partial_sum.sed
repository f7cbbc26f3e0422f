# error
# last_partial_sum - the last partial sum is lost
s/k < n; k += LENGTH/k + LENGTH < n + 1; k += LENGTH/
