# error
# zeros_count - a column of zeros has the smallest sum
s/if (scale_b\[l\] > 0)/if (true)/
