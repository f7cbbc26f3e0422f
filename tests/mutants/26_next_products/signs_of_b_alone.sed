# error
# signs_of_b_alone - the signs are taken from B alone
s/if (o.counts->next == 0)/if (o.counts->next == 0 || blockIdx.x >= gridDim.x \/ 2)/
