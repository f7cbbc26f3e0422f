# error
# no_barrier_behind_next - threads go on with the number of the tile before
/next = gridDim.x/{
n
s/__syncthreads();//
}
