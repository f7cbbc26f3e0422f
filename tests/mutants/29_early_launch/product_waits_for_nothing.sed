# error
# product_waits_for_nothing - the product does not wait for the slices
s/cudaGridDependencySynchronize();//
