# error
# no_barrier_behind_tile - the copies of the next tile begin while warps still read the last stage
s/__syncthreads(); .. nobody.*//
/  next = atomicAdd/{
n
s/__syncthreads();//
}
