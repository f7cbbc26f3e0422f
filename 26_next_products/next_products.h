/* next_products.h - the second pass over tiles of C: two more products of slices, and a
 * lower bound of |X| |Y|. Chapter: docs/26_next_products.md */
#ifndef NEXT_PRODUCTS_H
#define NEXT_PRODUCTS_H
#include "../24_clusters/clusters.h"
#include "../25_error_bound/recompute.h"
#include <cooperative_groups.h>

enum { NEXT = 1, IN_DOUBLE = 2 }; /* what elements need, bits of a mask */

/* What an element needs that the first pass rejects: double, if the next products cannot
 * fix it, since what rounding makes is too much even for |X| |Y|, the product of norms;
 * or most likely cannot, since its row or column spoils. */
static __device__ int choose_repair(const tile_info *info, unsigned y, unsigned x) {
    const norms &a = info->a[y], &b = info->b[x];
    return is_within(rounding_bound(a, b), a.all * b.all) && !info->spoils_a[y] &&
                   !info->spoils_b[x]
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
static __device__ bool is_accepted(float error, float decrease, int magnitude) {
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

/* Where the second pass takes |x0| and |y0| from: where a tile has signs, not from the
 * slices; and how many bytes lie between two stages. */
typedef struct next_sources {
    const signed char *a, *b;
    unsigned step_a, step_b;
} next_sources;

static __device__ next_sources find_next_sources(const bounded_operands &o, size_t row,
                                                 size_t column) {
    const bool signs_a = o.signs_a[row / TILE], signs_b = o.signs_b[column / TILE];
    return {signs_a ? o.magnitudes_a + find_magnitudes(row, 0, o.n)
                    : o.a + packed_layout::offset(row, 0, 0, o.n),
            signs_b ? o.magnitudes_b + find_magnitudes(column, 0, o.n)
                    : o.b + packed_layout::offset(column, 0, 0, o.n),
            signs_a ? (unsigned)SLICE_BYTES : (unsigned)TILE_BYTES,
            signs_b ? (unsigned)SLICE_BYTES : (unsigned)TILE_BYTES};
}

/* Starts the copies of a stage for the second pass, of so many rows of A. */
static __device__ void copy_next_stage(stage *s, const signed char *a,
                                       const signed char *b, next_sources *next,
                                       unsigned rows, unsigned rank, uint64_t *full) {
    enum { PART = SLICE_BYTES / CLUSTER }; /* of a slice of B, which this block copies */
    const unsigned part = rank * PART, slice = (1 + rank) * SLICE_BYTES;
    start_bulk_copy(s->a, next->a, rows * BK, full);
    start_multicast_copy(s->b + part, next->b + part, PART, full);
    start_multicast_copy(s->b + slice, b + slice, SLICE_BYTES, full); /* y1 or y2 */
    for (unsigned d = SLICE_BYTES; d < TILE_BYTES; d += SLICE_BYTES)
        start_bulk_copy(s->a + d, a + d, rows * BK, full);
    next->a += next->step_a;
    next->b += next->step_b;
}

/* Starts what a warpgroup has to do for a stage in the second pass: |x0| |y0|; x1 y2 + x2
 * y1. */
static __device__ void start_next_stage(int (&sum)[SLICES][ACCUMULATORS],
                                        const signed char *a, const signed char *b) {
    const uint64_t x = make_descriptor(a), y = make_descriptor(b);
    enum { X1 = SLICE_BYTES / 16, X2 = 2 * X1 }; /* to x1 and x2, in a descriptor */
    asm volatile("wgmma.fence.sync.aligned;");   /* the accumulators are set */
#pragma unroll
    for (int l = 0; l < BK / 16; l += WG_K / 16) {
        start_products(sum[0], x + l, y + l);
        start_products(sum[1], x + l + X1, y + l + X2);
        start_products(sum[1], x + l + X2, y + l + X1);
    }
    asm volatile("wgmma.commit_group.sync.aligned;");
}

/* Adds the second pass's products to a warp's sub-tile of C; these are small. Returns
 * what a lane's elements need: double, near the largest float. */
static __device__ int add_next(const bounded_operands &o, const tile_info *info,
                               size_t row, size_t column,
                               const int (&sum)[SLICES][ACCUMULATORS]) {
    const unsigned y = row % WG_M + threadIdx.x % 32 / 4, x = threadIdx.x % 4 * 2;
    const double scale_a[] = {info->scale_a[y] / 256, info->scale_a[y + 8] / 256};
    float *c = &o.c[(row + threadIdx.x % 32 / 4) * o.n + column + x];
    int needs = 0;
    float2 value[ACCUMULATORS / 2]; /* all loads are under way at once */
#pragma unroll
    for (int i = 0; i < ACCUMULATORS / 2; i++)
        value[i] = *(float2 *)&c[i % 2 * 8 * o.n + i / 2 * 8];
#pragma unroll
    for (int i = 0; i < ACCUMULATORS / 2; i++) {
        const double2 scale_b = *(const double2 *)&info->scale_b[x + i / 2 * 8];
        const float2 next = make_float2(
            (float)(value[i].x + (double)sum[1][2 * i] * scale_a[i % 2] * scale_b.x),
            (float)(value[i].y + (double)sum[1][2 * i + 1] * scale_a[i % 2] * scale_b.y));
        *(float2 *)&c[i % 2 * 8 * o.n + i / 2 * 8] = next;
        if (!is_finite(next.x) || !is_finite(next.y))
            needs = IN_DOUBLE;
    }
    return needs;
}

/* What a lane's elements need after the second pass. */
static __device__ int find_rejected(const tile_info *info, size_t row,
                                    const int (&sum)[SLICES][ACCUMULATORS]) {
    const unsigned y = row % WG_M + threadIdx.x % 32 / 4, x = threadIdx.x % 4 * 2;
    int needs = 0;
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i++) {
        const norms &a = info->a[y + i / 2 % 2 * 8], &b = info->b[x + i / 4 * 8 + i % 2];
        if (!is_accepted(next_bound(a, b), largest_decrease(a, b), sum[0][i]))
            needs = IN_DOUBLE;
    }
    return needs;
}
#endif
