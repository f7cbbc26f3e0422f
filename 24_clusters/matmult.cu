/* 24_clusters - pairs of blocks, clusters, compute tiles of C one above the other and
 * share the slices of B: each block copies half of them into the shared memory of both.
 *
 * New: clusters, multicast, and empty barriers at which both blocks arrive (clusters.h).
 * Launch: 384 threads, 3 warpgroups, and 192 KB of shared memory for each SM, in pairs.
 * Reads: 4.5 n^3 / 128 bytes of slices.
 * Chapter: docs/24_clusters.md
 * Run: make 24_clusters && ./24_clusters/run */
#include "../21_warp_specialized/pipeline.h"
#include "../23_tile_order/tile_order.h"
#include "clusters.h"

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

/* Multiplies and stores a warpgroup's part of a tile of C. */
static __device__ void consume(pipeline *pipe, const sliced_operands &o, size_t row,
                               size_t column) {
    const unsigned y = threadIdx.x / WARPGROUP * WG_M; /* of the warpgroup's rows */
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
    if (row < o.n)           /* the last pair may have one tile */
        store(o, row, column, sum);
}

static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const sliced_operands o) {
    extern __shared__ __align__(1024) signed char memory[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    pipeline pipe = {(stage *)memory, full, empty, 0, 0};
    if (threadIdx.x < STAGES) {
        init_barrier(&full[threadIdx.x], 1);
        init_barrier(&empty[threadIdx.x], CLUSTER * CONSUMERS * 4); /* warps */
    }
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
            consume(&pipe, o, row, (size_t)pair.x * TILE);
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

static void multiply(const sliced_operands &o) {
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int device, blocks; /* as many as SMs */
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
    matmult_kernel<<<(unsigned)max(blocks / CLUSTER, 1) * CLUSTER, THREADS, bytes>>>(o);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<packed_layout>(a, lda, b, ldb, c, ldc, n, multiply);
}
