/* sliced_element.h - an element of a product of slices: made of its sums, or computed again.
 * Chapter: docs/16_warp_tiles.md */
#ifndef SLICED_ELEMENT_H
#define SLICED_ELEMENT_H
#include "../08_blocked_sum/replace_overflow.h"
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

/* The sum of an element's levels, exact. An integer below 2^51 as a double: adding 1.5 * 2^52 to
 * its bits is faster than a conversion. */
static __device__ double add_levels(int level0, int level1, int level2) {
    const long long sum = level0 * 65536LL + level1 * 256LL + level2;
    return __longlong_as_double(sum + 0x4338000000000000) - 0x1.8p52;
}

/* Bounds of its error: of the part that rounding makes, and of all, where products of slices below
 * the levels are left out. */
static __device__ float rounding_bound(const vector_info &left, const vector_info &right) {
    return left.rounding * right.all + left.all * right.rounding;
}
static __device__ float error_bound(const vector_info &left, const vector_info &right) {
    return rounding_bound(left, right) + left.middle * right.low + left.low * right.middle;
}

/* Whether a bound is within 1e-6 of this magnitude; the rest is for the rounding of the element. */
static __device__ bool is_within(float bound, float magnitude) {
    return bound <= 0.85e-6f * magnitude;
}

/* An element of C from its sums; NaN where its error may be above 1e-6. */
static __device__ float combine(const vector_info &left, const vector_info &right, int level0,
                                int level1, int level2) {
    const double exact = add_levels(level0, level1, level2);
    const float value = (float)(exact * left.unit * right.unit);
    return is_within(error_bound(left, right), 65536 * fabsf((float)exact)) ? value : NAN;
}

/* Whether it must be computed again. */
static __device__ int must_repeat(float value) { return !(fabsf(value) < 3e38f); }

/* Stores an element of C. Returns whether it must be computed again. */
static inline __device__ int store(const product *p, size_t row, size_t column, int level0,
                                   int level1, int level2) {
    const float value = combine(p->rows[row], p->columns[column], level0, level1, level2);
    p->c[row * p->n + column] = value;
    return must_repeat(value);
}

/* Computes such an element in double. */
static inline __device__ void compute_again(const product *p, size_t row, size_t column) {
    float *c = &p->c[row * p->n + column];
    if (isnan(*c))
        atomicAdd(p->again, 1);
    *c = replace_overflow(*c, p->a + row * p->n, 1, p->b + column, p->n, p->n);
}
#endif
