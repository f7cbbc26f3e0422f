# error at n = 1025
# norms_of_one_part - a column has the norms of its first part
s/if (rank > 0 \&\& y == 0)/if (false)/
