# error
# no_barrier - a stage is filled too soon, while others still read it
/the tiles are complete, the other/d
