/* matrices.h - operands and a result in the host's memory, filled by several threads. */
#ifndef MATRICES_H
#define MATRICES_H
#include "operands.h"
#include <stddef.h>

typedef struct matrices {
    float *a, *b, *c; /* n x n each, row-major, no gaps */
    int n;
    int pinned;
} matrices;

/* Pinned: with CUDA, for kernels alone, since copies of ordinary memory would take longer than all
 * else. Without memory a sentence and the end. */
matrices make_matrices(int n, int pinned);
void free_matrices(matrices *m);

/* Both operands; uniform ones with seed 0 are those of `run`. */
void fill_matrices(const matrices *m, operand_kind kind, unsigned long seed);
/* All of c becomes NaN. */
void poison_product(const matrices *m);

/* Memory of the host; without it a sentence and the end. */
void *get_memory(size_t bytes);

#endif
