/* product.h - the product's kernel: step 24's, which flags what its bound rejects.
 * Chapter: docs/25_error_bound.md */
#ifndef PRODUCT_H
#define PRODUCT_H
#include "../21_warp_specialized/pipeline.h"
#include "../23_tile_order/tile_order.h"
#include "../24_clusters/clusters.h"
#include "recompute.h"

/* Starts the copies for a tile of C, in one thread. */
static __device__ void produce(pipeline *pipe, const sliced_operands &o, size_t row,
                               size_t column, unsigned rank) {
    const signed char *a = o.a + packed_layout::offset(row, 0, 0, o.n),
                      *b = o.b + packed_layout::offset(column, 0, 0, o.n);
    for (size_t k = 0; k < o.n; k += BK, a += TILE_BYTES, b += TILE_BYTES) {
        stage *s = &pipe->stages[pipe->index];
        uint64_t *full = &pipe->full[pipe->index];
        wait_for_phase(&pipe->empty[pipe->index], pipe->phase ^ 1);
        arrive_and_expect(full, sizeof *s);
        start_bulk_copy(s->a, a, TILE_BYTES, full);
        start_multicast_copy(s->b + rank * HALF, b + rank * HALF, HALF, full);
        advance(pipe);
    }
}

/* Stores a warp's sub-tile of C, at this row and column. Returns whether all of a lane's
 * elements are within the bound; |X| |Y| is at least the magnitude of the sum. */
static __device__ bool store_within_bound(const bounded_operands &o,
                                          const tile_info *info, size_t row,
                                          size_t column,
                                          const int (&sum)[SLICES][ACCUMULATORS]) {
    const unsigned y = row % WG_M + threadIdx.x % 32 / 4, x = threadIdx.x % 4 * 2;
    bool good = true;
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i += 2) {
        const unsigned down = y + i / 2 % 2 * 8, right = x + i / 4 * 8;
        float value[2];
        for (int l = 0; l < 2; l++) {
            const double exact =
                add_accumulators(sum[0][i + l], sum[1][i + l], sum[2][i + l]);
            value[l] = (float)(exact * info->scale_a[down] * info->scale_b[right + l]);
            good &= is_finite(value[l]) &&
                    is_within(error_bound(info->a[down], info->b[right + l]),
                              65536 * fabsf((float)exact));
        }
        *(float2 *)&o.c[(row - row % WG_M + down) * o.n + column + right] =
            make_float2(value[0], value[1]);
    }
    return good;
}

/* Multiplies and stores a warpgroup's part of a tile of C. */
static __device__ void consume(pipeline *pipe, const bounded_operands &o, size_t row,
                               size_t column, tile_info *info) {
    const unsigned y = threadIdx.x / WARPGROUP * WG_M; /* of the warpgroup's rows */
    start_info(info, o, min(row + y, o.n - WG_M), column);
    int sum[SLICES][ACCUMULATORS];
    clear(sum);
    unsigned previous = STAGES; /* none */
    for (size_t k = 0; k < o.n; k += BK) {
        const stage *s = &pipe->stages[pipe->index];
        wait_for_phase(&pipe->full[pipe->index], pipe->phase);
        start_stage(sum, s->a + y * BK, s->b);
        wait_for_products<1>(); /* those of the stage before */
        if (k > 0)
            release(pipe, previous);
        previous = pipe->index;
        advance(pipe);
    }
    finish_products(sum);
    release(pipe, previous); /* the producers go on with the next tile */
    finish_info();
    row += threadIdx.x / 32 * SUB_ROWS;
    if (row >= o.n) /* the last pair may have one tile */
        return;
    const bool good = store_within_bound(o, info, row, column, sum);
    if (!__all_sync(~0u, good) && threadIdx.x % 32 == 0)
        list_sub_tile(o, row, column);
}

static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const bounded_operands o) {
    extern __shared__ __align__(1024) signed char memory[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ tile_info info[CONSUMERS];
    pipeline pipe = {(stage *)memory, full, empty, 0, 0};
    if (threadIdx.x < STAGES) {
        init_barrier(&full[threadIdx.x], 1);
        init_barrier(&empty[threadIdx.x], CLUSTER * CONSUMERS * 4); /* warps */
    }
    if (is_spoiled(*o.found, o.n))
        return;     /* all blocks do */
    sync_cluster(); /* the barriers are ready */
    const unsigned across = (unsigned)(o.n / TILE), down = (across + 1) / CLUSTER,
                   pairs = down * across, rank = blockIdx.x % CLUSTER;
    if (threadIdx.x / WARPGROUP == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        for (unsigned i = blockIdx.x / CLUSTER; threadIdx.x % WARPGROUP == 0 && i < pairs;
             i += gridDim.x / CLUSTER) {
            const uint2 pair = find_tile(i, down, across);
            const size_t row = (size_t)(pair.y * CLUSTER + rank) * TILE;
            produce(&pipe, o, min(row, o.n - TILE), (size_t)pair.x * TILE, rank);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            const uint2 pair = find_tile(i, down, across);
            const size_t row = (size_t)(pair.y * CLUSTER + rank) * TILE;
            consume(&pipe, o, row, (size_t)pair.x * TILE, &info[threadIdx.x / WARPGROUP]);
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}
#endif
