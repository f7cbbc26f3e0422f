# error
# wgmma_other_rows - each warpgroup multiplies the rows of the other
s/warpgroup \* WG_M/(1 - warpgroup) * WG_M/
