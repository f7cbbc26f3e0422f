# strip_is_the_block - a block computes the strip of its own number: a planted fault. The suite must reject it.
s/compute_wanted(p, list\[1 + blockIdx.x\])/compute_wanted(p, blockIdx.x)/
