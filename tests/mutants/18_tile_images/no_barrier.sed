# no_barrier - nobody waits for the others' copies: a planted fault. The suite must reject it.
s/__syncthreads(); \/\* stage k.*//
