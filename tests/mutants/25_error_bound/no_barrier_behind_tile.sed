# error
# no_barrier_behind_tile - the same, where all of C is computed
s/__syncthreads(); .. nobody.*//
