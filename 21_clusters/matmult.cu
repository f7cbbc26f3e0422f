/* 21_clusters - two blocks of a cluster, whose tiles lie one above the other, share B:
 * each loads half of its tile into the shared memory of both.
 *
 * New: clusters, multicast, and empty barriers that hear from both blocks.
 * Launch: a block for each SM, in clusters of two, which take pairs of tiles in turn; of
 * a block's three warpgroups two are consumers and one is the producer. Reads 4.5 n^3 /
 * 128 bytes of slices.
 * Chapter: docs/21_clusters.md
 * Run: make 21_clusters && ./21_clusters/run */
#include "wgmma.h"

enum {
    PANEL = 1024,  /* tiles of C in a panel */
    CONSUMERS = 2, /* warpgroups that multiply, one above the other */
    THREADS = (CONSUMERS + 1) * WARPGROUP,
    CLUSTER = 2, /* blocks */
    STAGES = 4   /* so many tiles of A and of B fit */
};

typedef struct stage {
    signed char a[TILE_BYTES], b[TILE_BYTES];
} stage;

/* The stages of a block, with their barriers: all bytes have come; nobody needs them. */
typedef struct pipeline {
    stage *stages;
    uint64_t *full, *empty;
    unsigned turn; /* counts the stages in use, over all tiles */
} pipeline;

/* Arrives at this barrier in one block of the cluster. */
static __device__ void arrive(uint64_t *barrier, unsigned block) {
    asm volatile("{\n.reg .b32 remote;\n"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}" ::"r"(
                     shared_address(barrier)),
                 "r"(block)
                 : "memory");
}

static __device__ void sync_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire."
                 "aligned;" ::
                     : "memory");
}

/* A bulk copy with multicast: to this address in both blocks of the cluster, and counted
 * by the barrier of each. */
static __device__ void start_multicast_copy(void *to, const void *from, unsigned bytes,
                                            uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                 "multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)),
                 "h"((unsigned short)3)
                 : "memory");
}

/* The producer, one thread: starts the copies of a tile of C, a and b the first tiles of
 * its slices. */
static __device__ void produce(pipeline *p, const signed char *a, const signed char *b,
                               unsigned tiles, unsigned rank) {
    const unsigned half = TILE_BYTES / CLUSTER, from = rank * half;
    for (unsigned i = 0; i < tiles; i++, p->turn++) {
        const unsigned s = p->turn % STAGES, last = p->turn / STAGES % 2 ^ 1;
        wait_for_phase(&p->empty[s], last);
        arrive_and_expect(&p->full[s], sizeof(stage));
        start_bulk_copy(p->stages[s].a, a, TILE_BYTES, &p->full[s]);
        start_multicast_copy(p->stages[s].b + from, b + from, half, &p->full[s]);
        a += TILE_BYTES;
        b += TILE_BYTES;
    }
}

/* A warp does not need the stage of this turn any more. */
static __device__ void release(const pipeline *p, unsigned turn) {
    if (threadIdx.x % 32 < CLUSTER)
        arrive(&p->empty[turn % STAGES], threadIdx.x % 32);
}

/* A consumer warpgroup: multiplies WG_M rows of a tile of C, in each slice from vector
 * row on. */
static __device__ void consume(pipeline *p, int (&level)[SLICES][SUMS], unsigned tiles,
                               unsigned row) {
    for (unsigned i = 0; i < tiles; i++, p->turn++) {
        const unsigned s = p->turn % STAGES;
        const uint64_t a = make_descriptor(p->stages[s].a + row * BK),
                       b = make_descriptor(p->stages[s].b);
        wait_for_phase(&p->full[s], p->turn / STAGES % 2);
        fence_sums();
#pragma unroll
        for (int k = 0; k < BK; k += WG_K)
#pragma unroll
            for (int d = 0; d < SLICES; d++)
#pragma unroll
                for (int e = 0; d + e < SLICES; e++)
                    start_products(level[d + e], a + (d * SLICE_BYTES + k) / 16,
                                   b + (e * SLICE_BYTES + k) / 16);
        commit_products();
        if (i > 0) {
            wait_for_products<1>(); /* those of the stage before */
            release(p, p->turn - 1);
        }
    }
    wait_for_products<0>();
    release(p, p->turn - 1);
}

static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const product p, unsigned tiles_down) {
    extern __shared__ __align__(1024) signed char stages[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const unsigned warpgroup = threadIdx.x / WARPGROUP, lane = threadIdx.x % 32;
    const unsigned rank = blockIdx.x % CLUSTER, tiles = (unsigned)(p.n / BK);
    if (threadIdx.x == 0) {
        for (unsigned s = 0; s < STAGES; s++) {
            init_barrier(&full[s], 1);
            init_barrier(&empty[s], CLUSTER * CONSUMERS * 4); /* warps of both blocks */
        }
        fence_barrier_init();
    }
    sync_cluster(); /* the barriers are there */

    /* Pairs of tiles go down the panel, then on to the next columns. */
    const unsigned pairs_down = (tiles_down + 1) / CLUSTER,
                   pairs = pairs_down * (unsigned)(p.n / TILE);
    pipeline pipe = {(stage *)stages, full, empty, 0};
    if (warpgroup == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        for (unsigned i = blockIdx.x / CLUSTER; threadIdx.x % WARPGROUP == 0 && i < pairs;
             i += gridDim.x / CLUSTER) {
            const size_t row = min(i % pairs_down * CLUSTER + rank, tiles_down - 1),
                         column = i / pairs_down;
            produce(&pipe, p.slices_a + row * tiles * TILE_BYTES,
                    p.slices_b + column * tiles * TILE_BYTES, tiles, rank);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            int level[SLICES][SUMS] = {}, again = 0;
            consume(&pipe, level, tiles, warpgroup * WG_M);
            const unsigned tile_row = i % pairs_down * CLUSTER + rank;
            if (tile_row == tiles_down)
                continue;
            const size_t row = (size_t)tile_row * TILE + threadIdx.x / 32 * 16 + lane / 4,
                         column = (size_t)(i / pairs_down) * TILE + lane % 4 * 2;
#pragma unroll
            for (int j = 0; j < SUMS; j++)
                again |= store(&p, row + j / 2 % 2 * 8, column + j / 4 * 8 + j % 2,
                               level[0][j], level[1][j], level[2][j]);
            for (int j = 0; again && j < SUMS; j++)
                compute_again(&p, row + j / 2 % 2 * 8, column + j / 4 * 8 + j % 2);
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    slice_rows<image_layout>(&p, rows, stream);
    const int bytes = STAGES * sizeof(stage);
    int device, sm_count;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    matmult_kernel<<<(unsigned)sm_count / CLUSTER * CLUSTER, THREADS, bytes, stream>>>(
        p, (unsigned)(rows / TILE));
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<image_layout>(a, lda, b, ldb, c, ldc, n, PANEL, multiply);
}
