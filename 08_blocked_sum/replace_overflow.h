/* replace_overflow.h - for sums in float: an element that overflowed, computed again in
 * double. Chapter: docs/08_blocked_sum.md */
#ifndef REPLACE_OVERFLOW_H
#define REPLACE_OVERFLOW_H
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

/* The sum; or, where it overflowed or met an infinity or a NaN, what 01 computes. a is
 * the row of A, its elements a_step apart; b is the column of B. */
static __device__ float replace_overflow(float sum, const float *a, size_t a_step,
                                         const float *b, size_t ldb, size_t n) {
    const float near_infinity = 3e38f; /* rounding may have kept it from overflowing */
    if (fabsf(sum) < near_infinity)
        return sum;
    double in_double = 0;
    for (size_t k = 0; k < n; k++)
        in_double += (double)a[k * a_step] * (double)b[k * ldb];
    return (float)in_double;
}
#endif
