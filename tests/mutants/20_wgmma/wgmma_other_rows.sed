# error
# wgmma_other_rows - each warpgroup multiplies the rows of the other
s/threadIdx.x \/ WARPGROUP \* WG_M/(1 - threadIdx.x \/ WARPGROUP) * WG_M/
