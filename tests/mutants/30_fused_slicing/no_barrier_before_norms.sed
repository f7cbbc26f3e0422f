# error
# no_barrier_before_norms - the norms are stored before all have added theirs
s/negative = __syncthreads_or(negative);//
