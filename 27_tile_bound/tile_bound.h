/* tile_bound.h - the epilogue of the first pass, with one test of the bound for a
 * sub-tile. Chapter: docs/27_tile_bound.md */
#ifndef TILE_BOUND_H
#define TILE_BOUND_H
#include "../26_next_products/next_products.h"
#include <limits.h>

/* The largest of each norm of a tile's columns: no bound is above that of this column. */
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

/* Stores a warp's sub-tile of C. Returns whether the bound of the worst column is enough
 * for the smallest sum of each row; the sums of a column of zeros are exact. */
static __device__ bool store_with_tile_bound(const bounded_operands &o, size_t row,
                                             size_t column,
                                             const int (&sum)[SLICES][ACCUMULATORS]) {
    const norms *columns = &o.norms_b[column];
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
    const norms worst = find_worst(columns);
    bool enough = is_finite(largest);
    for (int j = 0; j < 2; j++)
        enough &= is_within(error_bound(o.norms_a[row + 8 * j], worst),
                            65536 * (float)__hiloint2double(smallest[j], 0));
    return __all_sync(~0u, enough);
}

/* What a lane's elements need by their own bounds. */
static __device__ int find_needs(const bounded_operands &o, size_t row, size_t column,
                                 int (&sum)[SLICES][ACCUMULATORS]) {
    finish_products(sum); /* or the compiler keeps the sums of accumulators, and spills */
    row += threadIdx.x % 32 / 4;
    column += threadIdx.x % 4 * 2;
    const norms x[] = {o.norms_a[row], o.norms_a[row + 8]};
    int needs = 0;
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i++) {
        const int j = i / 2 % 2;
        const size_t at = column + i / 4 * 8 + i % 2;
        const double exact = add_accumulators(sum[0][i], sum[1][i], sum[2][i]);
        const float value = (float)(exact * o.scale_a[row + j * 8] * o.scale_b[at]);
        if (!is_finite(value) ||
            !is_within(error_bound(x[j], o.norms_b[at]), 65536 * fabsf((float)exact)))
            needs |= choose_repair(x[j], o.norms_b[at], value);
    }
    return needs;
}
#endif
