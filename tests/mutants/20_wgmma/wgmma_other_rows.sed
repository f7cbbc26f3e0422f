# wgmma_other_rows - each warpgroup multiplies the rows of the other: a planted fault. The suite must reject it.
s/warpgroup \* WG_M/(1 - warpgroup) * WG_M/
