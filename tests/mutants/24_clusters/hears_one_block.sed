# error early
# hears_one_block - a warp tells its own block alone that a stage is free
s/threadIdx.x % 32 < CLUSTER)/threadIdx.x % 32 == 0)/
s/CLUSTER \* CONSUMERS \* 4/CONSUMERS * 4/
s/"r"(threadIdx.x % 32)/"r"(blockIdx.x % CLUSTER)/
