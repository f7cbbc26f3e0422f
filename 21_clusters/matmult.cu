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

/* Tiles of slices, and with the last of a tile of C what combine needs. */
typedef struct stage {
    signed char a[TILE_BYTES], b[TILE_BYTES];
    vector_info rows[TILE], columns[TILE];
} stage;

/* The stages of a block, with their barriers: all bytes have come; nobody needs them. */
typedef struct pipeline {
    stage *stages;
    uint64_t *full, *empty;
    unsigned turn; /* counts the stages in use, over all tiles of C */
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

/* The producer, one thread: starts the copies for a tile of C. */
static __device__ void produce(pipeline *pipe, const product *p, size_t row,
                               size_t column, unsigned rank) {
    const signed char *a = p->slices_a + row * SLICES * p->n,
                      *b = p->slices_b + column * SLICES * p->n;
    const unsigned half = TILE_BYTES / CLUSTER, from = rank * half;
    for (size_t k = 0; k < p->n; k += BK, a += TILE_BYTES, b += TILE_BYTES) {
        const unsigned turn = pipe->turn++, i = turn % STAGES;
        stage *s = &pipe->stages[i];
        uint64_t *full = &pipe->full[i];
        const int last = k + BK == p->n;
        wait_for_phase(&pipe->empty[i], turn / STAGES % 2 ^ 1);
        arrive_and_expect(full, last ? sizeof *s : 2 * TILE_BYTES);
        start_bulk_copy(s->a, a, TILE_BYTES, full);
        start_multicast_copy(s->b + from, b + from, half, full);
        if (last) {
            start_bulk_copy(s->rows, p->rows + row, sizeof s->rows, full);
            start_bulk_copy(s->columns, p->columns + column, sizeof s->columns, full);
        }
    }
}

/* A warp does not need the stage of this turn any more. */
static __device__ void release(const pipeline *pipe, unsigned turn) {
    if (threadIdx.x % 32 < CLUSTER)
        arrive(&pipe->empty[turn % STAGES], threadIdx.x % 32);
}

/* A consumer warpgroup: multiplies its WG_M rows of a tile of C. Keeps the last stage. */
static __device__ void consume(pipeline *pipe, int (&level)[SLICES][SUMS], size_t n) {
    for (unsigned k = 0; k < n; k += BK) {
        const unsigned turn = pipe->turn++;
        const stage *s = &pipe->stages[turn % STAGES];
        const uint64_t a = make_descriptor(s->a + threadIdx.x / WARPGROUP * WG_M * BK),
                       b = make_descriptor(s->b);
        wait_for_phase(&pipe->full[turn % STAGES], turn / STAGES % 2);
        fence_sums();
#pragma unroll
        for (int i = 0; i < BK; i += WG_K)
#pragma unroll
            for (int d = 0; d < SLICES; d++)
#pragma unroll
                for (int e = 0; d + e < SLICES; e++)
                    start_products(level[d + e], a + (d * SLICE_BYTES + i) / 16,
                                   b + (e * SLICE_BYTES + i) / 16);
        commit_products();
        wait_for_products<1>(); /* those of the stage before */
        if (k > 0)
            release(pipe, turn - 1);
    }
    finish_products(level);
}

/* Stores a thread's part of a tile of C. */
static __device__ void store_tile(const product *p, const stage *s,
                                  const int (&level)[SLICES][SUMS], size_t row,
                                  size_t column) {
    const unsigned y = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4,
                   x = threadIdx.x % 4 * 2;
    float *c = p->c + (row + y) * p->n + column + x;
    const vector_info left[] = {s->rows[y], s->rows[y + 8]};
    int again = 0;
#pragma unroll
    for (int j = 0; j < SUMS; j += 4) {
        const vector_info right[] = {s->columns[x + 2 * j], s->columns[x + 2 * j + 1]};
        float value[4];
        for (int i = 0; i < 4; i++) {
            value[i] = combine(left[i / 2], right[i % 2], level[0][j + i],
                               level[1][j + i], level[2][j + i]);
            again |= must_repeat(value[i]);
        }
        *(float2 *)&c[2 * j] = make_float2(value[0], value[1]);
        *(float2 *)&c[2 * j + 8 * p->n] = make_float2(value[2], value[3]);
    }
    for (int j = 0; again && j < SUMS; j++)
        compute_again(p, row + y + j / 2 % 2 * 8, column + x + j / 4 * 8 + j % 2);
}

static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const product p, unsigned rows) {
    extern __shared__ __align__(1024) signed char stages[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const unsigned warpgroup = threadIdx.x / WARPGROUP, rank = blockIdx.x % CLUSTER;
    if (threadIdx.x == 0) {
        for (unsigned i = 0; i < STAGES; i++) {
            init_barrier(&full[i], 1);
            init_barrier(&empty[i], CLUSTER * CONSUMERS * 4); /* warps of both blocks */
        }
        fence_barrier_init();
    }
    sync_cluster(); /* the barriers are there */

    /* Pairs of tiles go down the panel, then on to the next columns. */
    const unsigned pairs_down = (rows / TILE + 1) / CLUSTER,
                   pairs = pairs_down * (unsigned)(p.n / TILE);
    pipeline pipe = {(stage *)stages, full, empty, 0};
    if (warpgroup == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        for (unsigned i = blockIdx.x / CLUSTER; threadIdx.x % WARPGROUP == 0 && i < pairs;
             i += gridDim.x / CLUSTER) {
            const unsigned row = (i % pairs_down * CLUSTER + rank) * TILE;
            produce(&pipe, &p, min(row, rows - TILE), i / pairs_down * TILE, rank);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            int level[SLICES][SUMS] = {};
            consume(&pipe, level, p.n);
            const unsigned turn = pipe.turn - 1,
                           row = (i % pairs_down * CLUSTER + rank) * TILE;
            if (row < rows)
                store_tile(&p, &pipe.stages[turn % STAGES], level, row,
                           i / pairs_down * TILE);
            release(&pipe, turn);
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
        p, (unsigned)rows);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<image_layout>(a, lda, b, ldb, c, ldc, n, PANEL, multiply);
}
