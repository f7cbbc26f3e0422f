# error
# one_time_for_all - rows of C leave when the columns of B are sliced
s/^    multiply_slices(o);/    if (row > 0) multiply_slices(o);/
