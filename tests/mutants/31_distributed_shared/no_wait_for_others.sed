# error early at n = 1025
# no_wait_for_others - a block reads the largest elements of the others without waiting for them
/largest of its part/s/cluster.sync()/__syncthreads()/
