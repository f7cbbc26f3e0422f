# error at n = 1025
# no_wait_for_sums - the first block does not wait for the sums of the others
/has all sums/s/cluster.sync()/__syncthreads()/
