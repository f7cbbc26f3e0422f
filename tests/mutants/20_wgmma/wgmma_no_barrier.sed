# error by check-sizes at n = 257
# wgmma_no_barrier - a stage is filled while the other warpgroup still needs it
/nobody needs it any more/d
