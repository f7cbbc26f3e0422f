# error at n = 385
# strip_is_the_block - a block computes the strip of its own number
s/compute_wanted(p, list\[1 + blockIdx.x\])/compute_wanted(p, blockIdx.x)/
