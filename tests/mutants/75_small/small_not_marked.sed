# error
# small_not_marked - the strips of a small product have no flags
s/cudaMemsetAsync(marked.flags, IN_DOUBLE,/cudaMemsetAsync(marked.flags, 0,/
