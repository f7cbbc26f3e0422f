/* tile_bound.h - one test of the bound for a warp's sub-tile, in both passes.
 * Chapter: docs/27_tile_bound.md */
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
 * for a lane's smallest sum of each row; the sums of a column of zeros are exact. needs:
 * double, where a value is not finite. */
static __device__ bool store_first(const bounded_operands &o, const tile_info *info,
                                   size_t row, size_t column,
                                   const int (&sum)[SLICES][ACCUMULATORS], int *needs) {
    const unsigned y = row % WG_M + threadIdx.x % 32 / 4, x = threadIdx.x % 4 * 2;
    const double scale_a[] = {info->scale_a[y], info->scale_a[y + 8]};
    float *c = &o.c[(row + threadIdx.x % 32 / 4) * o.n + column + x], largest = 0;
    int smallest[] = {INT_MAX, INT_MAX}; /* upper words of doubles, in the same order */
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i += 2) {
        const int j = i / 2 % 2;
        const double2 scale = *(const double2 *)&info->scale_b[x + i / 4 * 8];
        const double scale_b[] = {scale.x, scale.y};
        float value[2];
        for (int l = 0; l < 2; l++) {
            const double exact =
                add_accumulators(sum[0][i + l], sum[1][i + l], sum[2][i + l]);
            value[l] = (float)(exact * scale_a[j] * scale_b[l]);
            largest = fmaxf(largest, fabsf(value[l]));
            if (scale_b[l] > 0)
                smallest[j] = min(smallest[j], __double2hiint(exact) & INT_MAX);
        }
        *(float2 *)&c[j * 8 * o.n + i / 4 * 8] = make_float2(value[0], value[1]);
    }
    const norms worst = find_worst(info->b);
    bool enough = is_finite(largest);
    *needs = enough ? 0 : IN_DOUBLE;
    for (int j = 0; j < 2; j++)
        enough &= is_within(error_bound(info->a[y + j * 8], worst),
                            65536 * (float)__hiloint2double(smallest[j], 0));
    return enough;
}

/* Whether the bound of the worst column is enough after the second pass, for a lane's
 * smallest |x0| |y0| of each row. */
static __device__ bool is_tile_accepted(const tile_info *info, size_t row,
                                        const int (&sum)[SLICES][ACCUMULATORS]) {
    int smallest[] = {INT_MAX, INT_MAX};
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i++)
        if (info->scale_b[threadIdx.x % 4 * 2 + i / 4 * 8 + i % 2] > 0)
            smallest[i / 2 % 2] = min(smallest[i / 2 % 2], sum[0][i]);
    const norms worst = find_worst(info->b);
    bool enough = true;
    for (int j = 0; j < 2; j++) {
        const norms &a = info->a[row % WG_M + threadIdx.x % 32 / 4 + j * 8];
        enough &=
            is_accepted(next_bound(a, worst), largest_decrease(a, worst), smallest[j]);
    }
    return enough;
}

/* What a lane's elements need after the first pass, by their own bounds. */
static __device__ int find_needs(const tile_info *info, size_t row,
                                 int (&sum)[SLICES][ACCUMULATORS]) {
    finish_products(sum); /* or the compiler keeps the sums of accumulators, and spills */
    int needs = 0;
    const unsigned y = row % WG_M + threadIdx.x % 32 / 4, x = threadIdx.x % 4 * 2;
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i++) {
        const unsigned down = y + i / 2 % 2 * 8, right = x + i / 4 * 8 + i % 2;
        const float exact = (float)add_accumulators(sum[0][i], sum[1][i], sum[2][i]);
        if (!is_within(error_bound(info->a[down], info->b[right]), 65536 * fabsf(exact)))
            needs |= choose_repair(info, down, right);
    }
    return needs;
}
#endif
