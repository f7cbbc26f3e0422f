# no_first_barrier - the tiles are read before they are complete: a planted fault. The suite must reject it.
/__syncthreads(); \/\* the tiles are complete/d
