# error
# no_second_barrier - the tiles are overwritten while others still read them
/__syncthreads(); \/\* nobody needs them/d
