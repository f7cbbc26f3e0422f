# error
# taken_is_not_reset - of the counts only the first three are reset
s/cudaMemset(o.found, 0, sizeof \*o.found)/cudaMemset(o.found, 0, 3 * sizeof(unsigned))/
