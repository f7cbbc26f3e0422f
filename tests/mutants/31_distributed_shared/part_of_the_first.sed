# error at n = 1025
# part_of_the_first - each block has the rows of the first one
s/matrix_b\[(first + k)/matrix_b[(k)/
