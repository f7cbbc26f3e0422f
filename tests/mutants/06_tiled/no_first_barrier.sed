# error
# no_first_barrier - the tiles are read before they are complete
/__syncthreads(); \/\* the tiles are complete/d
