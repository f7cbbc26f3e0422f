# error
# no_second_barrier - the tiles change while they are in use
s/^        __syncthreads(); .. nobody.*//
