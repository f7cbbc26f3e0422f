/* quick_bound.h - stores what a warp has of a tile, and says whether one bound is enough for all.
 * Chapter: docs/27_tile_bound.md */
#ifndef QUICK_BOUND_H
#define QUICK_BOUND_H
#include "consumer.h"

/* For the columns of a tile, the largest of each component: no bound is above this one's.
 */
static __device__ vector_info find_worst(const vector_info *columns) {
    vector_info worst = {};
    for (unsigned x = threadIdx.x % 32; x < TILE; x += 32) {
        worst.rounding = fmaxf(worst.rounding, columns[x].rounding);
        worst.all = fmaxf(worst.all, columns[x].all);
        worst.middle = fmaxf(worst.middle, columns[x].middle);
        worst.low = fmaxf(worst.low, columns[x].low);
    }
    for (float *part : {&worst.rounding, &worst.all, &worst.middle, &worst.low})
        *part = __uint_as_float(__reduce_max_sync(~0u, __float_as_uint(*part)));
    return worst; /* lengths have no sign, so their bits have their order */
}

/* Stores a warp's elements. Returns whether the bound of the worst column is enough for
 * the smallest sum of each row; the sums of a column of zeros are exact. */
static __device__ bool store_quickly(const product &p, const vector_info *left,
                                     const vector_info *columns, float *c,
                                     const int (&level)[SLICES][SUMS]) {
    int smallest[] = {INT_MAX, INT_MAX}; /* upper words of doubles, which have their order */
    float largest = 0;
#pragma unroll
    for (int i = 0; i < SUMS; i += 2) {
        const int down = i / 2 % 2;
        const vector_info *right = &columns[threadIdx.x % 4 * 2 + i / 4 * 8];
        float value[2];
        for (int j = 0; j < 2; j++) {
            const double exact = add_levels(level[0][i + j], level[1][i + j], level[2][i + j]);
            value[j] = (float)(exact * left[down].unit * right[j].unit);
            largest = fmaxf(largest, fabsf(value[j]));
            if (right[j].unit > 0)
                smallest[down] = min(smallest[down], __double2hiint(exact) & INT_MAX);
        }
        *(float2 *)&c[i / 4 * 8 + down * 8 * p.n] = make_float2(value[0], value[1]);
    }
    const vector_info worst = find_worst(columns);
    bool enough = !must_repeat(largest);
    for (int down = 0; down < 2; down++)
        enough &= is_within(error_bound(left[down], worst),
                            65536 * (float)__hiloint2double(smallest[down], 0));
    return __all_sync(~0u, enough);
}
#endif
