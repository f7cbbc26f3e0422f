# error
# product_before_a - the product waits for the slices of B alone
s/^    cudaGridDependencySynchronize();//
