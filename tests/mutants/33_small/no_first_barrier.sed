# error
# no_first_barrier - the tiles are read before they are complete
s/^        __syncthreads(); .. the tiles are complete.*//
