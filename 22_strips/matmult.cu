/* 22_strips - where the bound fails, a warp marks its strip of 16 x 128 elements, and
 * another kernel computes such strips in double.
 *
 * New: flags, and a word of the host's memory that tells it whether one is set; strips.h.
 * Launch and reads: as 21; where a flag is set, also 128 threads for each strip.
 * Chapter: docs/22_strips.md
 * Run: make 22_strips && ./22_strips/run */
#include "pipeline.h"
#include "strips.h"

enum { PANEL = 1024 }; /* tiles of C in a panel */

/* Stores an element. Returns whether its error may be above 1e-6. */
static __device__ int store_first(const product *p, size_t row, size_t column, int level0,
                                  int level1, int level2) {
    const vector_info left = p->rows[row], right = p->columns[column];
    const long long sum = level0 * 65536LL + level1 * 256LL + level2;
    const float rounding = left.rounding * right.all + left.all * right.rounding,
                bound = rounding + left.middle * right.low + left.low * right.middle;
    const float value = (float)((double)sum * left.unit * right.unit);
    p->c[row * p->n + column] = value;
    return !(bound <= 0.85e-6f * 65536 * fabsf((float)sum) && fabsf(value) < 3e38f);
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
            int level[SLICES][SUMS] = {}, fails = 0;
            consume(&pipe, level, tiles, warpgroup * WG_M);
            const unsigned tile_row = i % pairs_down * CLUSTER + rank;
            if (tile_row == tiles_down)
                continue;
            const size_t row = (size_t)tile_row * TILE + threadIdx.x / 32 * 16 + lane / 4,
                         column = (size_t)(i / pairs_down) * TILE + lane % 4 * 2;
#pragma unroll
            for (int j = 0; j < SUMS; j++)
                fails |= store_first(&p, row + j / 2 % 2 * 8, column + j / 4 * 8 + j % 2,
                                     level[0][j], level[1][j], level[2][j]);
            const size_t tile = tile_row * (p.n / TILE) + i / pairs_down;
            mark(&s, tile * (TILE / STRIP) + threadIdx.x / 32, fails);
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
        p, find_strips(m, row), (unsigned)(rows / TILE));
    CUDA_CHECK(cudaGetLastError());
}

static void finish(const device_matrices *m, cudaStream_t stream) {
    const unsigned count = (unsigned)(m->n * m->n / (STRIP * TILE));
    double_kernel<<<count, TILE, 0, stream>>>(find_product(m, 0), find_strips(m, 0));
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
