# error
# no_barrier_before_norms - the norms are stored before all have added theirs
/add_sums(&sums\[x\], own);/{
n
s/__syncthreads();//
}
