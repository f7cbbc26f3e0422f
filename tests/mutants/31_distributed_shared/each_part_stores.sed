# error at n = 1025
# each_part_stores - each block stores its part's norms
s/if (rank == 0 \&\& y == 0)/if (y == 0)/
