/* product.h - the product's kernel, in two passes; elements are asked for their bounds
 * only where one for a sub-tile is not enough. Chapter: docs/27_tile_bound.md */
#ifndef PRODUCT_H
#define PRODUCT_H
#include "../21_warp_specialized/pipeline.h"
#include "../23_tile_order/tile_order.h"
#include "tile_bound.h"

/* Starts the copies for a tile of C, in one thread. */
template <int pass>
static __device__ void produce(pipeline *pipe, const bounded_operands &o, size_t row,
                               size_t column, unsigned rank) {
    const signed char *a = o.a + packed_layout::offset(row, 0, 0, o.n),
                      *b = o.b + packed_layout::offset(column, 0, 0, o.n);
    next_sources next = pass == 1 ? next_sources() : find_next_sources(o, row, column);
    for (size_t k = 0; k < o.n; k += BK, a += TILE_BYTES, b += TILE_BYTES) {
        stage *s = &pipe->stages[pipe->index];
        uint64_t *full = &pipe->full[pipe->index];
        wait_for_phase(&pipe->empty[pipe->index], pipe->phase ^ 1);
        arrive_and_expect(full, sizeof *s);
        if (pass == 2)
            copy_next_stage(s, a, b, &next, TILE, rank, full);
        else {
            start_bulk_copy(s->a, a, TILE_BYTES, full);
            start_multicast_copy(s->b + rank * HALF, b + rank * HALF, HALF, full);
        }
        advance(pipe);
    }
}

/* Multiplies and stores a warpgroup's part of a tile of C. */
template <int pass>
static __device__ void consume(pipeline *pipe, const bounded_operands &o, size_t row,
                               size_t column, tile_info *info, unsigned *flagged) {
    const unsigned y = threadIdx.x / WARPGROUP * WG_M; /* of the warpgroup's rows */
    start_info(info, o, min(row + y, o.n - WG_M), column);
    int sum[SLICES][ACCUMULATORS];
    clear(sum);
    unsigned previous = STAGES; /* none */
    for (size_t k = 0; k < o.n; k += BK) {
        const stage *s = &pipe->stages[pipe->index];
        wait_for_phase(&pipe->full[pipe->index], pipe->phase);
        (pass == 1 ? start_stage : start_next_stage)(sum, s->a + y * BK, s->b);
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
    int needs = 0;
    if (pass == 1) {
        const bool enough = store_first(o, info, row, column, sum, &needs);
        if (!__all_sync(~0u, enough) && !__any_sync(~0u, needs))
            needs = find_needs(info, row, sum);
    } else if (!o.flags[count_sub_tiles(o, row, column)])
        return;
    else {
        needs = add_next(o, info, row, column, sum);
        if (!__all_sync(~0u, is_tile_accepted(info, row, sum)))
            needs |= find_rejected(info, row, sum);
    }
    flag(o, row, column, needs, flagged);
}

static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const bounded_operands o) {
    extern __shared__ __align__(1024) signed char memory[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ tile_info info[CONSUMERS];
    __shared__ unsigned flagged;
    pipeline pipe = {(stage *)memory, full, empty, 0, 0};
    if (threadIdx.x < STAGES) {
        init_barrier(&full[threadIdx.x], 1);
        init_barrier(&empty[threadIdx.x], CLUSTER * CONSUMERS * 4); /* warps */
    }
    if (threadIdx.x == 0)
        flagged = 0;
    if (is_spoiled(*o.found, o.n))
        return;     /* all blocks do */
    sync_cluster(); /* the barriers are ready */
    const unsigned across = (unsigned)(o.n / TILE), down = (across + 1) / CLUSTER,
                   pairs = down * across, rank = blockIdx.x % CLUSTER,
                   warpgroup = threadIdx.x / WARPGROUP;
    if (warpgroup == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        const bool produces = threadIdx.x % WARPGROUP == 0; /* one thread */
        for (unsigned i = blockIdx.x / CLUSTER; produces && i < pairs;
             i += gridDim.x / CLUSTER) {
            const uint2 pair = find_tile(i, down, across);
            const size_t row = (size_t)(pair.y * CLUSTER + rank) * TILE;
            produce<1>(&pipe, o, min(row, o.n - TILE), (size_t)pair.x * TILE, rank);
        }
        if (has_flagged(&flagged))
            for (unsigned i = blockIdx.x / CLUSTER; produces && i < pairs;
                 i += gridDim.x / CLUSTER) {
                const uint2 pair = find_tile(i, down, across);
                const size_t row = (size_t)pair.y * CLUSTER * TILE,
                             column = (size_t)pair.x * TILE;
                if (needs_next(o, row, column))
                    produce<2>(&pipe, o, min(row + rank * TILE, o.n - TILE), column,
                               rank);
            }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            const uint2 pair = find_tile(i, down, across);
            const size_t row = (size_t)(pair.y * CLUSTER + rank) * TILE;
            consume<1>(&pipe, o, row, (size_t)pair.x * TILE, &info[warpgroup], &flagged);
        }
        if (has_flagged(&flagged))
            for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
                const uint2 pair = find_tile(i, down, across);
                const size_t row = (size_t)pair.y * CLUSTER * TILE,
                             column = (size_t)pair.x * TILE;
                if (needs_next(o, row, column))
                    consume<2>(&pipe, o, row + rank * TILE, column, &info[warpgroup],
                               NULL);
            }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}
#endif
