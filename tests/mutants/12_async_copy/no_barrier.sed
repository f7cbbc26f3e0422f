# no_barrier - a stage is filled too soon, while others still read it: a planted fault. The suite must reject it.
/the tiles are complete, the other/d
