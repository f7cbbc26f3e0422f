# error at n = 385
# half_of_the_row - the largest element is looked for in the first half of a row
/bits = 0;/,/atomicMax/s/p.n \/ 4/p.n \/ 8/
