# error
# no_barrier_before_scale - a thread takes the scale before the others have found their largest element
/atomicMax(&largest\[x\], bits);/{
n
s/__syncthreads();//
}
