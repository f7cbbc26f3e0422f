/* tile_bound.h - one test of the bound for a warp's sub-tile, in both passes.
 * Chapter: docs/27_tile_bound.md */
#ifndef TILE_BOUND_H
#define TILE_BOUND_H
#include "../26_next_products/next_products.h"
#include <limits.h>

/* For the two rows of a lane, with the worst column of the tile: no bound is above these.
 */
typedef struct tile_bounds {
    float error[2];
    float decrease[2]; /* of |X| |Y|, in the second pass */
} tile_bounds;

/* The largest of each norm of a tile's columns. */
static __device__ norms find_worst(const norms *columns) {
    norms worst = {};
    for (unsigned x = threadIdx.x % 32; x < TILE; x += 32) {
        worst.rounding = fmaxf(worst.rounding, columns[x].rounding);
        worst.all = fmaxf(worst.all, columns[x].all);
        worst.middle = fmaxf(worst.middle, columns[x].middle);
        worst.low = fmaxf(worst.low, columns[x].low);
    }
    for (float *norm : {&worst.rounding, &worst.all, &worst.middle, &worst.low})
        *norm = __uint_as_float(__reduce_max_sync(~0u, __float_as_uint(*norm)));
    return worst; /* norms have no sign, so their bits have their order */
}

template <int pass>
static __device__ tile_bounds find_bounds(const bounded_operands &o, size_t row,
                                          size_t column) {
    const norms worst = find_worst(&o.norms_b[column]);
    tile_bounds bounds = {};
    for (int j = 0; j < 2; j++) {
        const norms &x = o.norms_a[row + threadIdx.x % 32 / 4 + 8 * j];
        bounds.error[j] = pass == 1 ? error_bound(x, worst) : next_bound(x, worst);
        bounds.decrease[j] = pass == 1 ? 0 : largest_decrease(x, worst);
    }
    return bounds;
}

/* Stores a warp's sub-tile of C. Returns whether the bounds are enough for a lane's
 * smallest sum of each row; the sums of a column of zeros are exact. */
static __device__ bool store_first(const bounded_operands &o, size_t row, size_t column,
                                   const int (&sum)[SLICES][ACCUMULATORS],
                                   const tile_bounds &bounds) {
    row += threadIdx.x % 32 / 4;
    column += threadIdx.x % 4 * 2;
    const double scale_a[] = {o.scale_a[row], o.scale_a[row + 8]};
    int smallest[] = {INT_MAX, INT_MAX}; /* upper words of doubles, in the same order */
    float largest = 0;
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i += 2) {
        const int j = i / 2 % 2;
        const double *scale_b = &o.scale_b[column + i / 4 * 8];
        float value[2];
        for (int l = 0; l < 2; l++) {
            const double exact =
                add_accumulators(sum[0][i + l], sum[1][i + l], sum[2][i + l]);
            value[l] = (float)(exact * scale_a[j] * scale_b[l]);
            largest = fmaxf(largest, fabsf(value[l]));
            if (scale_b[l] > 0)
                smallest[j] = min(smallest[j], __double2hiint(exact) & INT_MAX);
        }
        *(float2 *)&o.c[(row + j * 8) * o.n + column + i / 4 * 8] =
            make_float2(value[0], value[1]);
    }
    bool enough = is_finite(largest);
    for (int j = 0; j < 2; j++)
        enough &=
            is_within(bounds.error[j], 65536 * (float)__hiloint2double(smallest[j], 0));
    return enough;
}

/* The same after the second pass, for a lane's smallest |x0| |y0| of each row. */
static __device__ bool store_next(const bounded_operands &o, size_t row, size_t column,
                                  const int (&sum)[SLICES][ACCUMULATORS],
                                  const tile_bounds &bounds) {
    bool enough = is_finite(add_next(o, row, column, sum));
    column += threadIdx.x % 4 * 2;
    int smallest[] = {INT_MAX, INT_MAX};
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i++)
        if (o.scale_b[column + i / 4 * 8 + i % 2] > 0)
            smallest[i / 2 % 2] = min(smallest[i / 2 % 2], sum[0][i]);
    for (int j = 0; j < 2; j++)
        enough &= is_mended(bounds.error[j], bounds.decrease[j], smallest[j]);
    return enough;
}

/* What a lane's elements need after the first pass, by their own bounds. */
static __device__ int find_needs(const bounded_operands &o, size_t row, size_t column,
                                 int (&sum)[SLICES][ACCUMULATORS]) {
    finish_products(sum); /* or the compiler keeps the sums of accumulators, and spills */
    int needs = 0;
    row += threadIdx.x % 32 / 4;
    column += threadIdx.x % 4 * 2;
    const norms x[] = {o.norms_a[row], o.norms_a[row + 8]};
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i++) {
        const int j = i / 2 % 2;
        const size_t at = column + i / 4 * 8 + i % 2;
        const float value = o.c[(row + j * 8) * o.n + at],
                    exact = (float)add_accumulators(sum[0][i], sum[1][i], sum[2][i]);
        if (!is_finite(value) ||
            !is_within(error_bound(x[j], o.norms_b[at]), 65536 * fabsf(exact)))
            needs |= choose_repair(x[j], o.norms_b[at], value, o.n);
    }
    return needs;
}
#endif
