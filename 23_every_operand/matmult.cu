/* 23_every_operand - where the bound fails because sums cancel, the next products, x1 y2
 * and x2 y1, are added, and the error is held against |A| |B| in place of A B.
 *
 * New: a second pass over tiles with such strips, and |x0| |y0|, for a lower bound of
 * |A| |B|. What still fails is computed in double.
 * Launch and reads: as 22; the second pass as the first, with three products for six.
 * Chapter: docs/23_every_operand.md
 * Run: make 23_every_operand && ./23_every_operand/run */
#include "pipeline.h"
#include "strips.h"

enum { PANEL = 1024 }; /* tiles of C in a panel */

enum { IN_DOUBLE, NEXT }; /* sets of strips */

/* Stores an element. Returns 1 where its error may be above 1e-6; 2 where the next
 * products cannot help, since |A| |B| is at most a product of lengths. */
static __device__ int store_first(const product *p, size_t row, size_t column, int level0,
                                  int level1, int level2) {
    const vector_info left = p->rows[row], right = p->columns[column];
    const long long sum = level0 * 65536LL + level1 * 256LL + level2;
    const float rounding = left.rounding * right.all + left.all * right.rounding,
                bound = rounding + left.middle * right.low + left.low * right.middle;
    const float value = (float)((double)sum * left.unit * right.unit);
    p->c[row * p->n + column] = value;
    if (bound <= 0.85e-6f * 65536 * fabsf((float)sum) && fabsf(value) < 3e38f)
        return 0;
    return rounding < 0.85e-6f * left.all * right.all && fabsf(value) < 3e38f ? 1 : 2;
}

/* Adds the next products. Returns whether the error may still be above 1e-6. X and 65536
 * x0 differ by a vector no longer than rest, so that |X| |Y| is at least 2^32 |x0| |y0|
 * less products of lengths. 0.999 is for rounding here. */
static __device__ int store_next(const product *p, size_t row, size_t column,
                                 int magnitude, int next) {
    const vector_info left = p->rows[row], right = p->columns[column];
    const float rest_left = 16 * left.middle + left.low / 32 + left.rounding,
                rest_right = 16 * right.middle + right.low / 32 + right.rounding,
                least = 0.999f * 0x1p32f * (float)magnitude - rest_left * right.all -
                        left.all * rest_right,
                bound = left.rounding * right.all + left.all * right.rounding +
                        left.low * right.low / 256;
    float *c = &p->c[row * p->n + column];
    *c = (float)(*c + (double)next * left.unit * right.unit / 256);
    return !(bound <= 0.85e-6f * least && fabsf(*c) < 3e38f);
}

/* Whether this pass has a pair of tiles, for which both blocks must wait. */
template <int pass>
static __device__ int has_pair(const strips *next, size_t row, size_t column,
                               size_t across, size_t tiles_down) {
    const uint64_t *flags = (const uint64_t *)next->flags + column; /* of a tile */
    return pass == 1 || flags[row * across] ||
           flags[min(row + 1, tiles_down - 1) * across];
}

/* A consumer warpgroup: multiplies WG_M rows of a tile of C, in each slice from vector
 * row on. */
template <int pass>
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
                for (int e = 0; e < SLICES; e++)
                    if (pass == 1 ? d + e < SLICES : (d + e) % SLICES == 0)
                        start_products(level[pass == 1 ? d + e : (d + e) / SLICES],
                                       a + (d * SLICE_BYTES + k) / 16,
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

template <int pass>
static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const product p, const strips in_double, const strips next,
                   unsigned tiles_down) {
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
            if (!has_pair<pass>(&next, row - row % 2, column, p.n / TILE, tiles_down))
                continue;
            produce(&pipe, p.slices_a + row * tiles * TILE_BYTES,
                    p.slices_b + column * tiles * TILE_BYTES, tiles, rank);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            if (!has_pair<pass>(&next, i % pairs_down * CLUSTER, i / pairs_down,
                                p.n / TILE, tiles_down))
                continue;
            int level[SLICES][SUMS] = {}, fails = 0;
            consume<pass>(&pipe, level, tiles, warpgroup * WG_M);
            const unsigned tile_row = i % pairs_down * CLUSTER + rank;
            if (tile_row == tiles_down)
                continue;
            const size_t row = (size_t)tile_row * TILE + threadIdx.x / 32 * 16 + lane / 4,
                         column = (size_t)(i / pairs_down) * TILE + lane % 4 * 2;
            const size_t tile = tile_row * (p.n / TILE) + i / pairs_down,
                         strip = tile * (TILE / STRIP) + threadIdx.x / 32;
            if (pass == 2 && !next.flags[strip])
                continue;
#pragma unroll
            for (int j = 0; j < SUMS; j++) {
                const size_t y = row + j / 2 % 2 * 8, x = column + j / 4 * 8 + j % 2;
                fails |= pass == 1 ? store_first(&p, y, x, level[0][j], level[1][j],
                                                 level[2][j])
                                   : store_next(&p, y, x, level[0][j], level[1][j]);
            }
            const int hopeless = mark(&in_double, strip, pass == 1 ? fails > 1 : fails);
            if (pass == 1)
                mark(&next, strip, fails && !hopeless);
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

/* |x0| in place of x0, for a tile of slices. */
static __global__ void magnitude_kernel(signed char *slices) {
    uint64_t *x = (uint64_t *)&slices[(size_t)blockIdx.x * TILE_BYTES];
    for (unsigned i = threadIdx.x; i < SLICE_BYTES / sizeof *x; i += blockDim.x) {
        const uint64_t negative = x[i] >> 7 & 0x0101010101010101; /* no byte is -128 */
        x[i] = (x[i] ^ negative * 255) + negative;
    }
}

template <int pass>
static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    if (pass == 1)
        slice_rows<image_layout>(&p, rows, stream);
    const int bytes = STAGES * sizeof(stage);
    int device, sm_count;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<pass>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    matmult_kernel<pass>
        <<<(unsigned)sm_count / CLUSTER * CLUSTER, THREADS, bytes, stream>>>(
            p, find_strips(m, row, IN_DOUBLE), find_strips(m, row, NEXT),
            (unsigned)(rows / TILE));
    CUDA_CHECK(cudaGetLastError());
}

static void finish(const device_matrices *m, cudaStream_t stream) {
    const product p = find_product(m, 0);
    const unsigned count = (unsigned)(p.n * p.n / (STRIP * TILE));
    if (m->found[NEXT]) { /* slices_a lie behind slices_b */
        magnitude_kernel<<<(unsigned)(2 * p.n * p.n / (TILE * BK)), 512, 0, stream>>>(
            p.slices_b);
        CUDA_CHECK(cudaGetLastError());
        for (size_t row = 0; row < p.n; row += 16 * TILE)
            multiply<2>(m, row, min(p.n - row, (size_t)16 * TILE), stream);
    }
    double_kernel<<<count, TILE, 0, stream>>>(p, find_strips(m, 0, IN_DOUBLE));
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    const size_t padded = pad_to_tile(n, TILE);
    return multiply_slices<image_layout>(
        a, lda, b, ldb, c, ldc, n, PANEL, multiply<1>,
        "strips of 16 x 128 elements were computed in double",
        2 * padded * padded / (STRIP * TILE), finish,
        "strips of 16 x 128 elements took the next products");
}
