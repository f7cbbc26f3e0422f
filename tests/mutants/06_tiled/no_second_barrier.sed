# no_second_barrier - the tiles are overwritten while others still read them: a planted fault. The suite must reject it.
/__syncthreads(); \/\* nobody needs them/d
