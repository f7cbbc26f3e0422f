/* next_products.h - the second pass over tiles of C: two more products of slices, and a
 * lower bound of |X| |Y|. Chapter: docs/26_next_products.md */
#ifndef NEXT_PRODUCTS_H
#define NEXT_PRODUCTS_H
#include "../24_clusters/clusters.h"
#include "../25_error_bound/recompute.h"

enum { NEXT = 1, IN_DOUBLE = 2 }; /* what elements need, bits of a mask */

/* What an element needs whose bound is too large for its sum. If |X| |Y|, the product of
 * the norms, is too small for what rounding makes, then so is (|X| |Y|) of the elements.
 */
static __device__ int choose_repair(const norms &x, const norms &y, float value) {
    return is_finite(value) && is_within(rounding_bound(x, y), x.all * y.all) ? NEXT
                                                                              : IN_DOUBLE;
}

/* Takes the signs from x0, in a tile of slices; those of A follow those of B. */
static __global__ void magnitude_kernel(const bounded_operands o) {
    cudaTriggerProgrammaticLaunchCompletion(); /* both for launches that are early */
    cudaGridDependencySynchronize();           /* (step 29) */
    if (o.counts->next == 0)
        return;
    uint64_t *x = (uint64_t *)&o.b[(size_t)blockIdx.x * TILE_BYTES];
    for (unsigned i = threadIdx.x; i < SLICE_BYTES / sizeof *x; i += blockDim.x) {
        const uint64_t negative = x[i] >> 7 & 0x0101010101010101; /* no byte is -128 */
        x[i] = (x[i] ^ negative * 255) + negative;
    }
}

/* Starts what a warpgroup has to do for a stage in the second pass: |x0| |y0|; x1 y2 + x2
 * y1. */
static __device__ void start_next_stage(int (&sum)[SLICES][ACCUMULATORS],
                                        const signed char *a, const signed char *b) {
    const uint64_t x = make_descriptor(a), y = make_descriptor(b);
    enum {
        X1 = SLICE_BYTES / 16,
        X2 = 2 * X1
    }; /* from a slice to those, in a descriptor */
    asm volatile("wgmma.fence.sync.aligned;"); /* the accumulators are set */
#pragma unroll
    for (int l = 0; l < BK / 16; l += WG_K / 16) {
        start_products(sum[0], x + l, y + l);
        start_products(sum[1], x + l + X1, y + l + X2);
        start_products(sum[1], x + l + X2, y + l + X1);
    }
    asm volatile("wgmma.commit_group.sync.aligned;");
}

/* Adds the second pass's products to a warp's sub-tile of C. Returns whether some of a
 * lane's elements must be computed in double. X and 65536 x0 differ by a vector no longer
 * than rest, so |X| |Y| is at least 2^32 |x0| |y0| less two products of norms; 0.999 is
 * for the rounding here. */
static __device__ int store_next(const bounded_operands &o, size_t row, size_t column,
                                 const int (&sum)[SLICES][ACCUMULATORS]) {
    row += threadIdx.x % 32 / 4;
    column += threadIdx.x % 4 * 2;
    float2
        value[ACCUMULATORS / 2]; /* of the first pass; all loads are under way at once */
#pragma unroll
    for (int i = 0; i < ACCUMULATORS / 2; i++)
        value[i] = *(float2 *)&o.c[(row + i % 2 * 8) * o.n + column + i / 2 * 8];
    const norms x[] = {o.norms_a[row], o.norms_a[row + 8]};
    const double scale_a[] = {o.scale_a[row], o.scale_a[row + 8]};
    int needs = 0;
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i++) {
        const int j = i / 2 % 2;
        const norms &y = o.norms_b[column + i / 4 * 8 + i % 2];
        float *element = i % 2 ? &value[i / 2].y : &value[i / 2].x;
        *element =
            (float)((double)*element + (double)sum[1][i] * scale_a[j] *
                                           o.scale_b[column + i / 4 * 8 + i % 2] / 256);
        const float rest_x = 16 * x[j].middle + x[j].low / 32 + x[j].rounding,
                    rest_y = 16 * y.middle + y.low / 32 + y.rounding,
                    least = 0.999f * 0x1p32f * (float)sum[0][i] - rest_x * y.all -
                            x[j].all * rest_y;
        if (!is_finite(*element) ||
            !is_within(rounding_bound(x[j], y) + x[j].low * y.low / 256, least))
            needs = IN_DOUBLE;
    }
#pragma unroll
    for (int i = 0; i < ACCUMULATORS / 2; i++)
        *(float2 *)&o.c[(row + i % 2 * 8) * o.n + column + i / 2 * 8] = value[i];
    return needs;
}

/* Whether a pair of tiles gets the next products, the upper one at this row and column.
 */
static __device__ bool needs_next(const bounded_operands &o, size_t row, size_t column) {
    const uint64_t *flags = (uint64_t *)&o.flags[count_sub_tiles(o, row, column)];
    return (flags[0] | (row + TILE < o.n ? flags[1] : 0)) != 0;
}

/* Flags a warp's sub-tile for what its lanes' elements need. */
template <int pass>
static __device__ void flag(const bounded_operands &o, size_t row, size_t column,
                            int needs) {
    needs = (int)__reduce_or_sync(~0u, (unsigned)needs);
    if (threadIdx.x % 32 > 0)
        return;
    if (pass == 1)
        o.flags[count_sub_tiles(o, row, column)] = needs == NEXT;
    if (needs == NEXT)
        atomicAdd(&o.counts->next, 1);
    if (needs & IN_DOUBLE)
        list_sub_tile(o, row, column);
}
#endif
