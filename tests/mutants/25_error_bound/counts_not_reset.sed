# error
# counts_not_reset - the counts are what is in memory
s/CUDA_CHECK(cudaMemsetAsync(o.found, 0, sizeof \*o.found));//
