# error
# half_of_the_rows - the largest element is looked for in the upper half of B
s/for (size_t k = y; k < p.n;/for (size_t k = y; k < p.n \/ 2;/
