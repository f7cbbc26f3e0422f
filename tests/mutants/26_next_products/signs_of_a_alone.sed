# error
# signs_of_a_alone - the signs are taken from A alone
s/if (o.counts->next == 0)/if (o.counts->next == 0 || blockIdx.x >= gridDim.x \/ 2)/
