# error early at n = 1025
# half_of_the_part - the largest element is looked for in the upper half of a block's rows
/bits = 0;$/,/atomicMax/s/k < rows;/k < rows \/ 2;/
