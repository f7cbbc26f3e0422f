# error
# half_of_the_strips - double_kernel does not see the second half of C
s|(m->n \* m->n / (STRIP \* TILE))|(m->n * m->n / (2 * STRIP * TILE))|
