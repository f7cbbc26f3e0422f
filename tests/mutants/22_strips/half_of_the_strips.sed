# half_of_the_strips - double_kernel does not see the second half of a panel: a planted fault. The suite must reject it.
s|rows \* m->n / (STRIP \* TILE));|rows * m->n / (2 * STRIP * TILE));|
