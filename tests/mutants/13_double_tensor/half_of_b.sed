# error
# half_of_b - the second half of B's fragment is the first once more
s/stage->b\[k + e \* 4\]/stage->b[k]/
