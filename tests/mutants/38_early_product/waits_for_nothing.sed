# waits_for_nothing - the product does not wait for the slices: a planted fault. The suite must reject it.
/cudaGridDependencySynchronize/d
