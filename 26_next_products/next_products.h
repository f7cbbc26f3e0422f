/* next_products.h - the second pass over tiles of C: two more products of slices, and a
 * lower bound of |X| |Y|. Chapter: docs/26_next_products.md */
#ifndef NEXT_PRODUCTS_H
#define NEXT_PRODUCTS_H
#include "../24_clusters/clusters.h"
#include "../25_error_bound/recompute.h"
#include <cooperative_groups.h>

enum { NEXT = 1, IN_DOUBLE = 2 }; /* what elements need, bits of a mask */

/* What an element needs that the first pass rejects: double, if the next products cannot
 * mend it. That is a guess: X and Y meet at random. */
static __device__ int choose_repair(const norms &x, const norms &y, float value,
                                    size_t n) {
    return is_finite(value) && is_within(rounding_bound(x, y), x.sum * y.sum / (float)n)
               ? NEXT
               : IN_DOUBLE;
}

/* After the second pass: a bound of the error; and how much |X| |Y| may be below 2^32
 * |x0| |y0|, where X and 65536 x0 differ by a vector no longer than rest. */
static __device__ float next_bound(const norms &x, const norms &y) {
    return rounding_bound(x, y) + x.low * y.low / 256;
}
static __device__ float find_rest(const norms &x) {
    return 16 * x.middle + x.low / 32 + x.rounding;
}
static __device__ float largest_decrease(const norms &x, const norms &y) {
    return find_rest(x) * y.all + x.all * find_rest(y);
}

/* Whether such an error is within 1e-6 of |X| |Y|; magnitude: |x0| |y0|. 0.999 is for the
 * rounding here. */
static __device__ bool is_mended(float error, float decrease, int magnitude) {
    return is_within(error, 0.999f * 0x1p32f * (float)magnitude - decrease);
}

/* Flags a warp's sub-tile for what its lanes' elements need. flagged: how many a block
 * has flagged for the next products; NULL in the second pass, where flags must stay,
 * since other warps go by them. */
static __device__ void flag(const bounded_operands &o, size_t row, size_t column,
                            int needs, unsigned *flagged) {
    needs = (int)__reduce_or_sync(~0u, (unsigned)needs);
    if (threadIdx.x % 32 > 0)
        return;
    if (flagged)
        o.flags[count_sub_tiles(o, row, column)] = needs == NEXT;
    if (needs == NEXT) {
        atomicAdd(flagged, 1);
        atomicAdd(&o.found->next, 1);
    } else if (needs)
        list_sub_tile(o, row, column);
}

/* Whether the cluster has flagged anything. For all its threads, after the first pass. */
static __device__ bool has_flagged(unsigned *flagged) {
    const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    sync_cluster(); /* both have flagged all they will */
    const unsigned all =
        *flagged + *cluster.map_shared_rank(flagged, cluster.block_rank() ^ 1);
    sync_cluster(); /* nobody reads the other's shared memory any more */
    return all > 0;
}

/* Whether a pair of tiles gets the next products, the upper one at this row and column.
 */
static __device__ bool needs_next(const bounded_operands &o, size_t row, size_t column) {
    const uint64_t *flags = (uint64_t *)&o.flags[count_sub_tiles(o, row, column)];
    return (flags[0] | (row + TILE < o.n ? flags[1] : 0)) != 0;
}

/* Takes the signs from so many bytes of x0, which these threads share. */
static __device__ void take_signs(signed char *slice, unsigned bytes, unsigned thread,
                                  unsigned threads) {
    uint64_t *x = (uint64_t *)slice;
    for (unsigned i = thread; i < bytes / sizeof *x; i += threads) {
        const uint64_t negative = x[i] >> 7 & 0x0101010101010101; /* no byte is -128 */
        x[i] = (x[i] ^ negative * 255) + negative;
    }
}

/* Starts what a warpgroup has to do for a stage in the second pass: |x0| |y0|; x1 y2 + x2
 * y1. The consumers, so many threads, take the signs from x0 and y0 in shared memory. */
static __device__ void start_next_stage(int (&sum)[SLICES][ACCUMULATORS], signed char *a,
                                        signed char *b, unsigned consumers) {
    const uint64_t x = make_descriptor(a), y = make_descriptor(b);
    enum { X1 = SLICE_BYTES / 16, X2 = 2 * X1 }; /* to x1 and x2, in a descriptor */
    take_signs(a, WG_M * BK, threadIdx.x % WARPGROUP, WARPGROUP);
    take_signs(b, SLICE_BYTES, threadIdx.x, consumers);
    asm volatile("fence.proxy.async;" ::: "memory"); /* before products read them */
    asm volatile("bar.sync 1, %0;" ::"r"(consumers) : "memory");
    asm volatile("wgmma.fence.sync.aligned;"); /* the accumulators are set */
#pragma unroll
    for (int l = 0; l < BK / 16; l += WG_K / 16) {
        start_products(sum[0], x + l, y + l);
        start_products(sum[1], x + l + X1, y + l + X2);
        start_products(sum[1], x + l + X2, y + l + X1);
    }
    asm volatile("wgmma.commit_group.sync.aligned;");
}

/* Adds the second pass's products to a warp's sub-tile of C. Returns the largest
 * magnitude of a lane's elements. */
static __device__ float add_next(const bounded_operands &o, size_t row, size_t column,
                                 const int (&sum)[SLICES][ACCUMULATORS]) {
    row += threadIdx.x % 32 / 4;
    column += threadIdx.x % 4 * 2;
    const double scale_a[] = {o.scale_a[row] / 256, o.scale_a[row + 8] / 256};
    float2 value[ACCUMULATORS / 2]; /* all loads are under way at once */
#pragma unroll
    for (int i = 0; i < ACCUMULATORS / 2; i++)
        value[i] = *(float2 *)&o.c[(row + i % 2 * 8) * o.n + column + i / 2 * 8];
    float largest = 0;
#pragma unroll
    for (int i = 0; i < ACCUMULATORS / 2; i++) {
        const double *scale_b = &o.scale_b[column + i / 2 * 8];
        value[i].x =
            (float)(value[i].x + (double)sum[1][2 * i] * scale_a[i % 2] * scale_b[0]);
        value[i].y =
            (float)(value[i].y + (double)sum[1][2 * i + 1] * scale_a[i % 2] * scale_b[1]);
        largest = fmaxf(largest, fmaxf(fabsf(value[i].x), fabsf(value[i].y)));
        *(float2 *)&o.c[(row + i % 2 * 8) * o.n + column + i / 2 * 8] = value[i];
    }
    return largest;
}

/* What a lane's elements need after the second pass. */
static __device__ int find_unmended(const bounded_operands &o, size_t row, size_t column,
                                    const int (&sum)[SLICES][ACCUMULATORS]) {
    row += threadIdx.x % 32 / 4;
    column += threadIdx.x % 4 * 2;
    const norms x[] = {o.norms_a[row], o.norms_a[row + 8]};
    int needs = 0;
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i++) {
        const int j = i / 2 % 2;
        const size_t at = column + i / 4 * 8 + i % 2;
        const norms &y = o.norms_b[at];
        if (!is_finite(o.c[(row + j * 8) * o.n + at]) ||
            !is_mended(next_bound(x[j], y), largest_decrease(x[j], y), sum[0][i]))
            needs = IN_DOUBLE;
    }
    return needs;
}
#endif
