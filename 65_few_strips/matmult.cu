/* 65_few_strips - where few strips are computed in double, their tiles are loaded while
 * others are multiplied, by twice as many warps.
 *
 * New: load_tiles. Launch: as 64, 128 threads a strip. Reads: as 64; B twice for a strip.
 * Chapter: docs/65_few_strips.md
 * Run: make 65_few_strips && ./65_few_strips/run */
#include "pipeline.h"
#include "strips.h"

enum {
    PANEL = 1024, /* tiles of C in a panel */
    DEPTH = 16,   /* k in a tile of double_kernel */
    TM = 8,       /* rows of a thread there */
    TN = 2,       /* columns of it */
    STRIP_THREADS = STRIP / TM * (TILE / TN),
    LOADS_A = STRIP * DEPTH / STRIP_THREADS /* of a tile of A, by a thread */
};

/* Multiplies and stores a warpgroup's part of a tile of C. */
static __device__ void consume(pipeline *pipe, const product &p, const strips &marked,
                               unsigned row, unsigned column, unsigned rows) {
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
    again = __any_sync(~0u, again);
    if (lane == 0)
        marked.flags[column / TILE * (p.n / STRIP) + row / STRIP + threadIdx.x / 32] =
            again ? IN_DOUBLE : 0;
    if (again)
        *marked.found = 1;
}

static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const product p, const strips marked, unsigned rows) {
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
            consume(&pipe, p, marked, row, i / down * TILE, rows);
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

/* Loads what a thread has of the tiles at k: of A, elements of the strip's rows; of B,
 * its columns. */
static __device__ void load_tiles(const product &p, size_t row, size_t column, size_t k,
                                  float (&a)[LOADS_A], float (&b)[DEPTH][TN]) {
#pragma unroll
    for (unsigned i = 0; i < LOADS_A; i++) {
        const unsigned j = threadIdx.x + i * STRIP_THREADS;
        a[i] = p.a[(row + j / DEPTH) * p.n + k + j % DEPTH];
    }
#pragma unroll
    for (int i = 0; i < DEPTH * TN; i++)
        b[i / TN][i % TN] = p.b[(k + i / TN) * p.n + column + i % TN * (TILE / TN)];
}

/* Computes a strip in double, if its flag is set, with the sums of 01. A thread has TM
 * rows of TN columns. */
static __global__ void __launch_bounds__(STRIP_THREADS)
    double_kernel(const product p, const strips marked) {
    __shared__ __align__(16) double tiles_a[2][DEPTH][STRIP + 2]; /* fewer conflicts */
    if (!(marked.flags[blockIdx.x] & IN_DOUBLE))
        return;
    const size_t down = p.n / STRIP, row = blockIdx.x % down * STRIP,
                 column = blockIdx.x / down * TILE + threadIdx.x % (TILE / TN);
    const unsigned y = threadIdx.x / (TILE / TN) * TM;
    double sum[TM][TN] = {};
    float next_a[LOADS_A], next_b[DEPTH][TN]; /* in flight */
    load_tiles(p, row, column, 0, next_a, next_b);
    for (size_t k = 0; k < p.n; k += DEPTH) {
        double(*tile_a)[STRIP + 2] = tiles_a[k / DEPTH % 2], b[DEPTH][TN];
#pragma unroll
        for (unsigned i = 0; i < LOADS_A; i++) {
            const unsigned j = threadIdx.x + i * STRIP_THREADS;
            tile_a[j % DEPTH][j / DEPTH] = next_a[i];
        }
#pragma unroll
        for (int i = 0; i < DEPTH * TN; i++)
            b[i / TN][i % TN] = next_b[i / TN][i % TN];
        __syncthreads(); /* the tile of A is complete */
        load_tiles(p, row, column, min(k + DEPTH, p.n - DEPTH), next_a, next_b);
        __syncwarp(); /* or the compiler moves the loads to where they are needed */
#pragma unroll
        for (int l = 0; l < DEPTH; l++)
#pragma unroll
            for (int i = 0; i < TM * TN; i++)
                sum[i / TN][i % TN] =
                    fma(tile_a[l][y + i / TN], b[l][i % TN], sum[i / TN][i % TN]);
    }
#pragma unroll
    for (int i = 0; i < TM * TN; i++)
        p.c[(row + y + i / TN) * p.n + column + i % TN * (TILE / TN)] =
            (float)sum[i / TN][i % TN];
    if (threadIdx.x == 0)
        atomicAdd(p.again, 1);
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
        p, find_strips(m, row), (unsigned)rows);
    CUDA_CHECK(cudaGetLastError());
}

static void finish(const device_matrices *m, cudaStream_t stream) {
    const unsigned count = (unsigned)(m->n * m->n / (STRIP * TILE));
    double_kernel<<<count, STRIP_THREADS, 0, stream>>>(find_product(m, 0),
                                                       find_strips(m, 0));
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
