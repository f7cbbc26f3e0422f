/* 24_clusters - pairs of blocks, clusters, have tiles of C one above the other and share
 * the slices of B: each block copies half of them into the shared memory of both.
 *
 * New: clusters, multicast, and empty barriers that hear from both blocks.
 * Launch: a block for each SM, which takes tiles of C in turn, each pair two of them;
 * reads 4.5 n^3 / 128 bytes of slices. Chapter: docs/24_clusters.md
 * Run: make 24_clusters && ./24_clusters/run */
#include "barriers.h"
#include "bulk_copy.h"
#include "stages.h"

enum {
    PANEL = 1024, /* tiles of C in a panel */
    CLUSTER = 2,  /* blocks */
    HALF = TILE_BYTES / CLUSTER
};

/* All threads of both blocks of the cluster. */
static __device__ void sync_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

/* Starts a copy to this address in both blocks; the barrier of each counts its bytes. */
static __device__ void start_multicast_copy(void *to, const void *from, unsigned bytes,
                                            uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                 "multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)),
                 "h"((unsigned short)3));
}

/* Starts the copies for a tile of C, in one thread. */
static __device__ void produce(pipeline *pipe, const product &p, unsigned row,
                               unsigned column, unsigned rank) {
    const signed char *a = p.slices_a + image_layout::offset(row, 0, 0, p.n),
                      *b = p.slices_b + image_layout::offset(column, 0, 0, p.n);
    for (unsigned k = 0; k < p.n;
         k += BK, pipe->turn++, a += TILE_BYTES, b += TILE_BYTES) {
        const unsigned i = pipe->turn % STAGES, last = k + BK == p.n;
        stage *s = &pipe->stages[i];
        uint64_t *full = &pipe->full[i];
        wait_for_phase(&pipe->empty[i], pipe->turn / STAGES % 2 ^ 1);
        arrive_and_expect(full, last ? sizeof *s : 2 * TILE_BYTES);
        start_bulk_copy(s->a, a, TILE_BYTES, full);
        start_multicast_copy(s->b + rank * HALF, b + rank * HALF, HALF, full);
        if (last) {
            start_bulk_copy(s->rows, p.rows + row, sizeof s->rows, full);
            start_bulk_copy(s->columns, p.columns + column, sizeof s->columns, full);
        }
    }
}

/* A warp does not need the stage of this turn any more: tells both blocks. */
static __device__ void release(const pipeline *pipe, unsigned turn) {
    __syncwarp(); /* all lanes have read */
    if (threadIdx.x % 32 < CLUSTER)
        asm volatile("{ .reg .b32 empty; mapa.shared::cluster.u32 empty, %0, %1;"
                     "mbarrier.arrive.shared::cluster.b64 _, [empty]; }" ::"r"(
                         shared_address(&pipe->empty[turn % STAGES])),
                     "r"(threadIdx.x % 32)
                     : "memory");
}

/* Multiplies and stores a warpgroup's part of a tile of C. */
static __device__ void consume(pipeline *pipe, const product &p, unsigned row,
                               unsigned column, unsigned rows) {
    const unsigned warpgroup = threadIdx.x / WARPGROUP, lane = threadIdx.x % 32;
    int level[SLICES][SUMS] = {};
    for (unsigned k = 0; k < p.n; k += BK, pipe->turn++) {
        const unsigned i = pipe->turn % STAGES;
        wait_for_phase(&pipe->full[i], pipe->turn / STAGES % 2);
        const stage *s = &pipe->stages[i];
        const uint64_t a = make_descriptor(s->a + warpgroup * WG_M * BK),
                       b = make_descriptor(s->b);
        fence_sums();
#pragma unroll
        for (int l = 0; l < BK; l += WG_K)
#pragma unroll
            for (int d = 0; d < SLICES; d++)
#pragma unroll
                for (int e = 0; d + e < SLICES; e++)
                    start_products(level[d + e], a + (d * SLICE_BYTES + l) / 16,
                                   b + (e * SLICE_BYTES + l) / 16);
        commit_products();
        wait_for_products<1>();
        if (k > 0)
            release(pipe, pipe->turn - 1);
    }
    finish_products(level);
    if (row == rows) /* the last pair has one tile */
        return release(pipe, pipe->turn - 1);
    const unsigned turn = pipe->turn - 1, y = threadIdx.x / 32 * 16 + lane / 4,
                   x = lane % 4 * 2;
    const stage *s = &pipe->stages[turn % STAGES];
    const size_t first_row = row + y, first_column = column + x;
    const vector_info left[] = {s->rows[y], s->rows[y + 8]};
    float *c = p.c + first_row * p.n + first_column;
    int again = 0;
#pragma unroll
    for (int i = 0; i < SUMS; i += 4) {
        const vector_info *right = &s->columns[x + 2 * i];
        float value[4];
        for (int j = 0; j < 4; j++) {
            value[j] = combine(left[j / 2], right[j % 2], level[0][i + j],
                               level[1][i + j], level[2][i + j]);
            again |= must_repeat(value[j]);
        }
        *(float2 *)&c[2 * i] = make_float2(value[0], value[1]);
        *(float2 *)&c[2 * i + 8 * p.n] = make_float2(value[2], value[3]);
    }
    release(pipe, turn);
    for (int i = 0; again && i < SUMS; i++)
        compute_again(&p, first_row + i / 2 % 2 * 8, first_column + i / 4 * 8 + i % 2);
}

static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const product p, unsigned rows) {
    extern __shared__ __align__(1024) signed char memory[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    pipeline pipe = {(stage *)memory, full, empty, 0};
    const unsigned rank = blockIdx.x % CLUSTER, down = (rows / TILE + 1) / CLUSTER,
                   pairs = down * (unsigned)(p.n / TILE);
    if (threadIdx.x < STAGES) {
        init_barrier(&full[threadIdx.x], 1);
        init_barrier(&empty[threadIdx.x], CLUSTER * CONSUMERS * 4); /* warps */
    }
    sync_cluster(); /* the barriers are there */
    if (threadIdx.x / WARPGROUP == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        for (unsigned i = blockIdx.x / CLUSTER; threadIdx.x % WARPGROUP == 0 && i < pairs;
             i += gridDim.x / CLUSTER) {
            const unsigned row = (i % down * CLUSTER + rank) * TILE;
            produce(&pipe, p, min(row, rows - TILE), i / down * TILE, rank);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            const unsigned row = (i % down * CLUSTER + rank) * TILE;
            consume(&pipe, p, row, i / down * TILE, rows);
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    slice_rows<image_layout>(&p, rows, stream);
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int device, blocks; /* as many as SMs */
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
    matmult_kernel<<<(unsigned)blocks / CLUSTER * CLUSTER, THREADS, bytes, stream>>>(
        p, (unsigned)rows);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<image_layout>(a, lda, b, ldb, c, ldc, n, PANEL, multiply);
}
