# no_barrier - overwrites the tiles while they are in use: a planted fault. The suite must reject it.
s/__syncthreads(); \/\* nobody needs.*//
