/* passes.h - what the two passes over a product do with stages and sums: which products they add,
 * and how they judge elements by the error bound. Chapter: docs/26_next_products.md */
#ifndef PASSES_H
#define PASSES_H
#include "double_kernel.h"
#include "magnitude.h"
#include "pipeline.h"

enum { SECOND = 2 }; /* a flag that a strip may have, beside IN_DOUBLE */

/* An element from its sums. Where its error may be above 1e-6, it wants the next
 * products; or double, if rounding alone is too much for all * all, which |A| |B| cannot
 * pass. */
static __device__ float combine_first(const vector_info &left, const vector_info &right, int level0,
                                      int level1, int level2, int *wants) {
    const double exact = add_levels(level0, level1, level2);
    const float value = (float)(exact * left.unit * right.unit);
    if (must_repeat(value) || !is_within(error_bound(left, right), 65536 * fabsf((float)exact)))
        *wants |=
            !must_repeat(value) && is_within(rounding_bound(left, right), left.all * right.all)
                ? (int)SECOND
                : (int)IN_DOUBLE;
    return value;
}

/* An element with the next products. X and 65536 x0 differ by a vector no longer than
 * rest, so |X| |Y| is at least 2^32 |x0| |y0| less two products of lengths; 0.999 is for
 * the rounding here. first is the element after the first pass. */
static __device__ float combine_next(const vector_info &left, const vector_info &right,
                                     int magnitude, int next, int first, int *wants) {
    const float rest_left = 16 * left.middle + left.low / 32 + left.rounding,
                rest_right = 16 * right.middle + right.low / 32 + right.rounding,
                least = 0.999f * 0x1p32f * (float)magnitude - rest_left * right.all -
                        left.all * rest_right,
                bound = rounding_bound(left, right) + left.low * right.low / 256,
                value = (float)((double)__int_as_float(first) +
                                (double)next * left.unit * right.unit / 256);
    if (must_repeat(value) || !is_within(bound, least))
        *wants |= IN_DOUBLE;
    return value;
}

/* Adds up the products of a tile of C, of which the last stage is kept. */
template <int pass>
static __device__ void add_products(pipeline *pipe, const product &p, int (&level)[SLICES][SUMS]) {
    const unsigned warpgroup = threadIdx.x / WARPGROUP;
    for (unsigned k = 0; k < p.n; k += BK, pipe->turn++) {
        const unsigned i = pipe->turn % STAGES;
        wait_for_phase(&pipe->full[i], pipe->turn / STAGES % 2);
        const stage *s = &pipe->stages[i];
        const uint64_t a = make_descriptor(s->a + warpgroup * WG_M * BK), b = make_descriptor(s->b);
        fence_sums();
#pragma unroll
        for (int l = 0; l < BK; l += WG_K)
#pragma unroll
            for (int d = 0; d < SLICES; d++)
#pragma unroll
                for (int e = 0; e < SLICES; e++)
                    if (pass == 1 ? d + e < SLICES : (d + e) % SLICES == 0)
                        start_products(level[pass == 1 ? d + e : (d + e) / SLICES],
                                       a + (d * SLICE_BYTES + l) / 16,
                                       b + (e * SLICE_BYTES + l) / 16);
        commit_products();
        wait_for_products<1>();
        if (k > 0)
            release(pipe, pipe->turn - 1);
    }
    finish_products(level);
}
#endif
