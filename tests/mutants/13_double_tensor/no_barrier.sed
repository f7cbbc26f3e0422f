# error
# no_barrier - a stage is filled while others still read it
/this stage is complete/d
