/* product.h - the product's kernel, which begins before the kernel before is over.
 * Chapter: docs/29_early_launch.md */
#ifndef PRODUCT_H
#define PRODUCT_H
#include "../21_warp_specialized/pipeline.h"
#include "../23_tile_order/tile_order.h"
#include "../27_tile_bound/tile_bound.h"

/* How to launch a kernel that may begin when all blocks of the one before have called
 * cudaTriggerProgrammaticLaunchCompletion or have exited. It calls
 * cudaGridDependencySynchronize before it touches what earlier kernels read or write. */
static cudaLaunchConfig_t early_launch(dim3 grid, dim3 block, unsigned bytes) {
    static thread_local cudaLaunchAttribute early; /* a rank is a thread */
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    return {grid, block, bytes, 0, &early, 1};
}

/* What a cluster computes at once: a pair of tiles; or one tile, split, of which each
 * block has half of the rows. */
typedef struct part {
    size_t top, row, column; /* top: of the cluster's rows; row: of this block's */
    bool split;
} part;

/* The i-th part: whole pairs, then the tiles of the other pairs, then those of a last row
 * that has no pair. */
static __device__ part find_part(const bounded_operands &o, unsigned whole, unsigned i) {
    const unsigned across = o.columns / TILE, down = o.rows / TILE / CLUSTER,
                   rank = blockIdx.x % CLUSTER, j = i - whole; /* the j-th split tile */
    const bool split = i >= whole, has_pair = j < (down * across - whole) * CLUSTER;
    uint2 pair = make_uint2(j - (down * across - whole) * CLUSTER, down);
    if (!split || has_pair)
        pair = find_tile(split ? whole + j / CLUSTER : i, down, across);
    const size_t top =
        o.top + (pair.y * CLUSTER + (split && has_pair ? j % CLUSTER : 0)) * TILE;
    return {top, top + rank * (TILE / (split ? CLUSTER : 1)), o.left + pair.x * TILE,
            split};
}

/* How many pairs of tiles stay whole: all; or those that keep all clusters busy, where
 * the others are faster split. Times are counted in split tiles; a pair takes two. */
static unsigned count_whole(const bounded_operands &o, unsigned clusters) {
    const unsigned across = o.columns / TILE, down = o.rows / TILE,
                   pairs = down / CLUSTER * across, odd = down % CLUSTER * across,
                   rest = pairs % clusters,
                   time_whole = (pairs + clusters - 1) / clusters * 2 +
                                (odd + clusters - 1) / clusters,
                   time_split = pairs / clusters * 2 +
                                (rest * CLUSTER + odd + clusters - 1) / clusters;
    return time_split < time_whole ? pairs - rest : pairs;
}

/* Whether a part gets the next products. The tile below a split one belongs to another
 * cluster, which may still set its flags: the two blocks could see different ones. */
static __device__ bool needs_next(const bounded_operands &o, const part &p) {
    if (!p.split)
        return needs_next(o, p.top, p.column);
    return *(uint64_t *)&o.flags[count_sub_tiles(o, p.top, p.column)] != 0;
}

/* Starts the copies for a part, in one thread. */
template <int pass>
static __device__ void produce(pipeline *pipe, const bounded_operands &o, const part &p,
                               unsigned rank) {
    const unsigned rows = TILE / (p.split ? CLUSTER : 1);
    const signed char *a = o.a + packed_layout::offset(p.row, 0, 0, o.n),
                      *b = o.b + packed_layout::offset(p.column, 0, 0, o.n);
    next_sources next =
        pass == 1 ? next_sources() : find_next_sources(o, p.row, p.column);
    for (size_t k = 0; k < o.n; k += BK, a += TILE_BYTES, b += TILE_BYTES) {
        stage *s = &pipe->stages[pipe->index];
        uint64_t *full = &pipe->full[pipe->index];
        wait_for_phase(&pipe->empty[pipe->index], pipe->phase ^ 1);
        arrive_and_expect(full, rows * BK * SLICES + TILE_BYTES);
        if (pass == 2)
            copy_next_stage(s, a, b, &next, rows, rank, full);
        else {
            for (unsigned d = 0; p.split && d < TILE_BYTES; d += SLICE_BYTES)
                start_bulk_copy(s->a + d, a + d, WG_M * BK, full);
            if (!p.split)
                start_bulk_copy(s->a, a, TILE_BYTES, full);
            start_multicast_copy(s->b + rank * HALF, b + rank * HALF, HALF, full);
        }
        advance(pipe);
    }
}

/* Lets a part go by: the second warpgroup of a block that has half of a tile. */
static __device__ void skip(pipeline *pipe, const bounded_operands &o) {
    for (size_t k = 0; k < o.n; k += BK) {
        wait_for_phase(&pipe->full[pipe->index], pipe->phase);
        release(pipe, pipe->index);
        advance(pipe);
    }
}

/* Multiplies and stores a warpgroup's part of a tile of C. */
template <int pass>
static __device__ void consume(pipeline *pipe, const bounded_operands &o, const part &p,
                               tile_info *info, unsigned *flagged) {
    const unsigned y = threadIdx.x / WARPGROUP * WG_M; /* of the warpgroup's rows */
    const size_t row = p.row + threadIdx.x / 32 * SUB_ROWS, column = p.column;
    start_info(info, o, p.row + y, column);
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
    matmult_kernel(const bounded_operands o, unsigned whole) {
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
    cudaGridDependencySynchronize(); /* the kernels before are over */
    if (is_spoiled(*o.found, o.n))
        return;     /* all blocks do */
    sync_cluster(); /* the barriers are ready */
    const unsigned tiles = o.rows / TILE * (o.columns / TILE), parts = tiles - whole,
                   rank = blockIdx.x % CLUSTER, warpgroup = threadIdx.x / WARPGROUP;
    if (warpgroup == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        const bool produces = threadIdx.x % WARPGROUP == 0; /* one thread */
        for (unsigned i = blockIdx.x / CLUSTER; produces && i < parts;
             i += gridDim.x / CLUSTER)
            produce<1>(&pipe, o, find_part(o, whole, i), rank);
        if (has_flagged(&flagged))
            for (unsigned i = blockIdx.x / CLUSTER; produces && i < parts;
                 i += gridDim.x / CLUSTER) {
                const part p = find_part(o, whole, i);
                if (needs_next(o, p))
                    produce<2>(&pipe, o, p, rank);
            }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        for (unsigned i = blockIdx.x / CLUSTER; i < parts; i += gridDim.x / CLUSTER) {
            const part p = find_part(o, whole, i);
            if (p.split && warpgroup > 0)
                skip(&pipe, o);
            else
                consume<1>(&pipe, o, p, &info[warpgroup], &flagged);
        }
        if (has_flagged(&flagged))
            for (unsigned i = blockIdx.x / CLUSTER; i < parts; i += gridDim.x / CLUSTER) {
                const part p = find_part(o, whole, i);
                if (!needs_next(o, p))
                    continue;
                if (p.split && warpgroup > 0)
                    skip(&pipe, o);
                else
                    consume<2>(&pipe, o, p, &info[warpgroup], NULL);
            }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

/* Launches the product's kernel for what o says of C. */
static void multiply_slices(const bounded_operands &o) {
    const unsigned bytes = STAGES * sizeof(stage), sms = count_sms(),
                   whole = count_whole(o, sms / CLUSTER);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const cudaLaunchConfig_t product =
        early_launch(sms / CLUSTER * CLUSTER, THREADS, bytes);
    CUDA_CHECK(cudaLaunchKernelEx(&product, matmult_kernel, o, whole));
}

/* Launches the kernel that computes in double what is listed. */
static void recompute(const bounded_operands &o) {
    CUDA_CHECK(cudaFuncSetAttribute(
        recompute_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, RECOMPUTE_BYTES));
    const cudaLaunchConfig_t doubles =
        early_launch(count_sms() * RECOMPUTE_BLOCKS, RECOMPUTE_THREADS, RECOMPUTE_BYTES);
    CUDA_CHECK(cudaLaunchKernelEx(&doubles, recompute_kernel, o));
}
#endif
