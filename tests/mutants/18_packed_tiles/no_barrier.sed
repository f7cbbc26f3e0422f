# error
# no_barrier - nobody waits for the others' copies
s/__syncthreads(); \/\* stage k.*//
