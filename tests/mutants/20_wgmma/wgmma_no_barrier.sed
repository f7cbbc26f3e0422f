# wgmma_no_barrier - a stage is filled while the other warpgroup still needs it: a planted fault. The suite must reject it.
/nobody needs stage k - 1/d
