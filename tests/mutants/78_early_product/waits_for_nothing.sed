# error at n = 832
# waits_for_nothing - the product does not wait for the slices
/cudaGridDependencySynchronize/d
