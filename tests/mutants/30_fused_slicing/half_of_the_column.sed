# error
# half_of_the_column - the largest element is looked for in the upper half of a column
/bits = 0;$/,/atomicMax/s/k < o.n;/k < o.n \/ 2;/
