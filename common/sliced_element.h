/* sliced_element.h - an element of a product of slices: made of its sums, or computed again.
 * Chapter: docs/16_warp_tiles.md */
#ifndef SLICED_ELEMENT_H
#define SLICED_ELEMENT_H
#include "replace_overflow.h"
#include "slices.h"

/* Some rows of C = A B on the device, and what is made of A and B. */
typedef struct product {
    size_t n; /* padded */
    const float *a, *b;
    float *c;
    unsigned long long *again; /* how many elements were computed again */
    signed char *slices_a, *slices_b;
    vector_info *rows, *columns;
} product;

/* Stores an element of C, or infinity where its error may be above 1e-6. Returns whether
 * it must be computed again. */
static inline __device__ int store(const product *p, size_t row, size_t column, int level0,
                                   int level1, int level2) {
    const vector_info left = p->rows[row], right = p->columns[column];
    const long long sum = level0 * 65536LL + level1 * 256LL + level2;
    const float bound = left.rounding * right.all + left.all * right.rounding +
                        left.middle * right.low + left.low * right.middle;
    float value = (float)((double)sum * left.unit * right.unit);
    if (!(bound <= 0.85e-6f * 65536 * fabsf((float)sum))) { /* the rest is for value */
        value = INFINITY;
        atomicAdd(p->again, 1);
    }
    p->c[row * p->n + column] = value;
    return !(fabsf(value) < 3e38f);
}

/* Computes such an element in double. */
static inline __device__ void compute_again(const product *p, size_t row, size_t column) {
    float *c = &p->c[row * p->n + column];
    *c = replace_overflow(*c, p->a + row * p->n, 1, p->b + column, p->n, p->n);
}
#endif
