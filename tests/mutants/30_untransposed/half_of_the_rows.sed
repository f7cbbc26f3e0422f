# half_of_the_rows - the largest element is looked for in the upper half of B: a planted fault. The suite must reject it.
s/for (size_t k = y; k < p.n;/for (size_t k = y; k < p.n \/ 2;/
