/* 22_strips - where the bound fails, a warp does not compute again itself: it marks its
 * strip of 16 x 128 elements, and a kernel of its own computes such strips in double.
 *
 * New: a flag for each strip; a word of the host's memory that kernels set, so that
 * nothing is started where no flag is; double_kernel, a block for each strip.
 * Launch and reads: as 21; where a flag is set, also a block of 64 threads for each
 * strip, which reads 9/128 n floats for each of its elements. Chapter: docs/22_strips.md
 * Run: make 22_strips && ./22_strips/run */
#include "cluster.h"
#include "wgmma.h"

enum {
    PANEL = 1024,  /* tiles of C in a panel */
    CONSUMERS = 2, /* warpgroups that multiply, one above the other */
    THREADS = (CONSUMERS + 1) * WARPGROUP,
    CLUSTER = 2, /* blocks */
    STAGES = 4,  /* so many tiles of A and of B fit */
    STRIP = 16,  /* rows of a strip, which has a tile's columns */
    DEPTH = 16   /* k in double_kernel's tiles */
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

/* Flags of the strips of C. */
typedef struct strips {
    unsigned char *flags; /* of a tile, then of the next one across */
    unsigned *found;      /* in the host's memory: whether there is one */
} strips;

/* A warp sets the flag of its strip where a lane wants it. Returns the flag. */
static __device__ int mark(const strips *s, size_t strip, int wanted) {
    wanted = __any_sync(~0u, wanted);
    if (threadIdx.x % 32 == 0)
        s->flags[strip] = (unsigned char)wanted;
    if (threadIdx.x % 32 == 0 && wanted)
        *s->found = 1;
    return wanted;
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
    matmult_kernel(const product p, const strips s, unsigned tiles_down) {
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
            const size_t tile = tile_row * (p.n / TILE) + i / pairs_down;
            mark(&s, tile * (TILE / STRIP) + threadIdx.x / 32, again);
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

/* Computes a strip in double, if its flag is set, with the sums of 01. A thread has 4 x 4
 * elements; the next tiles of A and B are on their way to its registers meanwhile. */
static __global__ void __launch_bounds__(TILE)
    double_kernel(const product p, const strips s) {
    __shared__ __align__(16) double tile_a[2][DEPTH][STRIP + 2], tile_b[2][DEPTH][TILE];
    if (!s.flags[blockIdx.x])
        return;
    const size_t tile = blockIdx.x / (TILE / STRIP), across = p.n / TILE;
    const size_t row = tile / across * TILE + blockIdx.x % (TILE / STRIP) * STRIP,
                 column = tile % across * TILE;
    const unsigned t = threadIdx.x, x = t % 32, y = t / 32 * 4;
    double sum[4][4] = {};
    float a[2], b[DEPTH];
    for (size_t k = 0; k <= p.n; k += DEPTH) {
        const size_t buffer = k / DEPTH % 2, last = buffer ^ 1;
#pragma unroll
        for (unsigned i = 0; i < DEPTH && k < p.n; i++)
            b[i] = p.b[(k + i) * p.n + column + t];
        for (unsigned i = 0; i < 2 && k < p.n; i++)
            a[i] = p.a[(row + t / DEPTH + 8 * i) * p.n + k + t % DEPTH];
#pragma unroll
        for (int l = 0; l < DEPTH && k > 0; l++)
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] = fma(tile_a[last][l][y + i], tile_b[last][l][x + 32 * j],
                                    sum[i][j]);
#pragma unroll
        for (unsigned i = 0; i < DEPTH && k < p.n; i++)
            tile_b[buffer][i][t] = b[i];
        for (unsigned i = 0; i < 2 && k < p.n; i++)
            tile_a[buffer][t % DEPTH][t / DEPTH + 8 * i] = a[i];
        __syncthreads(); /* these tiles are complete, and nobody needs the last ones */
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            p.c[(row + y + i) * p.n + column + x + 32 * j] = (float)sum[i][j];
    if (t == 0)
        atomicAdd(p.again, 1);
}

/* The strips from this row on. Their flags lie behind what find_product finds. */
static strips find_strips(const device_matrices *m, size_t row) {
    const product p = find_product(m, 0);
    return {(unsigned char *)(p.rows + p.n) + row * p.n / (STRIP * TILE), m->found};
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
        p, find_strips(m, row), (unsigned)(rows / TILE));
    CUDA_CHECK(cudaGetLastError());
}

static void finish(const device_matrices *m, size_t row, size_t rows,
                   cudaStream_t stream) {
    const unsigned count = (unsigned)(rows * m->n / (STRIP * TILE));
    double_kernel<<<count, TILE, 0, stream>>>(find_product(m, row), find_strips(m, row));
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    const size_t padded = pad_to_tile(n, TILE);
    return multiply_slices<image_layout>(
        a, lda, b, ldb, c, ldc, n, PANEL, multiply,
        "strips of 16 x 128 elements were computed in double",
        padded * padded / (STRIP * TILE), finish);
}
