# error
# no_barrier_behind_sub_tile - the copies of the next sub-tile begin while warps still read the last one's
/n, (unsigned)n);/{
n
s/__syncthreads();//
}
