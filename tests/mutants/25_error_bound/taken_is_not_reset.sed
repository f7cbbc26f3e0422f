# error
# taken_is_not_reset - of the counts only the first three are reset
s/cudaMemsetAsync(o.found, 0, sizeof \*o.found)/cudaMemsetAsync(o.found, 0, 3 * sizeof(unsigned))/
