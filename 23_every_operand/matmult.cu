/* 23_every_operand - where the bound fails because sums cancel, the next products, x1 y2
 * and x2 y1, are added, and the error is held against |A| |B|, not against A B.
 *
 * New: a second pass over tiles with such strips; |x0| |y0|, which gives a lower bound of
 * |A| |B|. What still fails is computed in double.
 * Launch and reads: as 22; the second pass as the first, with three products for six.
 * Chapter: docs/23_every_operand.md
 * Run: make 23_every_operand && ./23_every_operand/run */
#include "cluster.h"
#include "strips.h"
#include "wgmma.h"

enum {
    PANEL = 1024,  /* tiles of C in a panel */
    CONSUMERS = 2, /* warpgroups that multiply, one above the other */
    THREADS = (CONSUMERS + 1) * WARPGROUP,
    CLUSTER = 2, /* blocks */
    STAGES = 4   /* so many tiles of A and of B fit */
};

/* What a strip needs; where the host finds that there is one. */
enum { IN_DOUBLE, NEXT_PRODUCTS, B_IS_READY };
static const float ALLOWED = 0.85e-6f; /* of 1e-6; the rest is for rounding c twice */

typedef struct stage {
    signed char a[TILE_BYTES], b[TILE_BYTES];
} stage;

/* The stages of a block, with their barriers: all bytes have come; nobody needs them. */
typedef struct pipeline {
    stage *stages;
    uint64_t *full, *empty;
    unsigned turn; /* counts the stages in use, over all tiles */
} pipeline;

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

/* Stores an element; returns 0, or 1 where its error may be above 1e-6, or 2 where the
 * next products cannot help: |A| |B| is at most the product of two lengths. */
static __device__ int store_first(const product *p, size_t row, size_t column, int level0,
                                  int level1, int level2) {
    const vector_info left = p->rows[row], right = p->columns[column];
    const long long sum = level0 * 65536LL + level1 * 256LL + level2;
    const float rounding = left.rounding * right.all + left.all * right.rounding,
                bound = rounding + left.middle * right.low + left.low * right.middle;
    const float value = (float)((double)sum * left.unit * right.unit);
    p->c[row * p->n + column] = value;
    if (bound <= ALLOWED * 65536 * fabsf((float)sum) && fabsf(value) < 3e38f)
        return 0;
    return rounding < ALLOWED * left.all * right.all && fabsf(value) < 3e38f ? 1 : 2;
}

/* Adds the next products to an element. Returns whether its error may still be above
 * 1e-6. x and 65536 x0 differ by a vector of length rest at most, so that |x| |y| is at
 * least 2^32 |x0| |y0| less two products of lengths; 0.999 is for the rounding here. */
static __device__ int store_next(const product *p, size_t row, size_t column,
                                 int magnitude, int next) {
    const vector_info left = p->rows[row], right = p->columns[column];
    const float rest_left = 16 * left.middle + left.low / 32 + left.rounding,
                rest_right = 16 * right.middle + right.low / 32 + right.rounding;
    const float least = 0.999f * 0x1p32f * (float)magnitude - rest_left * right.all -
                        left.all * rest_right;
    const float bound = left.rounding * right.all + left.all * right.rounding +
                        left.low * right.low / 256;
    float *const c = &p->c[row * p->n + column];
    *c = (float)(*c + (double)next * left.unit * right.unit / 256);
    return !(bound <= ALLOWED * least && fabsf(*c) < 3e38f);
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
                    if (pass == 1 ? d + e < 3 : (d + e) % 3 == 0)
                        start_products(level[pass == 1 ? d + e : (d + e) / 3],
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

/* Whether the second pass has a pair of tiles: both blocks of a cluster must agree. */
static __device__ int has_pair(const strips *next, size_t row, size_t column,
                               size_t across, size_t tiles_down) {
    const uint64_t *const flags = (const uint64_t *)next->flags; /* of a tile */
    return flags[row * across + column] ||
           (row + 1 < tiles_down && flags[(row + 1) * across + column]);
}

template <int pass>
static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const product p, const strips next, const strips in_double,
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
            if (pass == 2 && !has_pair(&next, i % pairs_down * CLUSTER, column,
                                       p.n / TILE, tiles_down))
                continue;
            produce(&pipe, p.slices_a + row * tiles * TILE_BYTES,
                    p.slices_b + column * tiles * TILE_BYTES, tiles, rank);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            if (pass == 2 && !has_pair(&next, i % pairs_down * CLUSTER, i / pairs_down,
                                       p.n / TILE, tiles_down))
                continue;
            int level[SLICES][SUMS] = {}, needs = 0;
            consume<pass>(&pipe, level, tiles, warpgroup * WG_M);
            const unsigned tile_row = i % pairs_down * CLUSTER + rank;
            if (tile_row == tiles_down)
                continue;
            const size_t row = (size_t)tile_row * TILE + threadIdx.x / 32 * 16 + lane / 4,
                         column = (size_t)(i / pairs_down) * TILE + lane % 4 * 2,
                         tile = tile_row * (p.n / TILE) + i / pairs_down,
                         strip = tile * (TILE / STRIP) + threadIdx.x / 32;
            if (pass == 2 && !next.flags[strip])
                continue;
#pragma unroll
            for (int j = 0; j < SUMS; j++) {
                const size_t y = row + j / 2 % 2 * 8, x = column + j / 4 * 8 + j % 2;
                needs |= pass == 1 ? store_first(&p, y, x, level[0][j], level[1][j],
                                                 level[2][j])
                                   : store_next(&p, y, x, level[0][j], level[1][j]);
            }
            const int twice = mark(&in_double, strip, needs >= 3 - pass);
            if (pass == 1 && mark(&next, strip, needs == 1 && !twice) && lane == 0)
                atomicAdd(p.again + NEXT_PRODUCTS, 1);
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

/* Makes |x0| of x0, in place, where gridDim.y is 1; copies the other slices too, where it
 * is SLICES. */
static __global__ void magnitude_kernel(const signed char *from, signed char *to) {
    const size_t at =
        ((size_t)blockIdx.x * SLICES + blockIdx.y) * SLICE_BYTES + threadIdx.x * 16;
    int4 x = *(const int4 *)&from[at];
    if (blockIdx.y == 0)
        for (int i = 0; i < 4; i++) {
            unsigned &word = ((unsigned *)&x)[i];
            const unsigned negative = word >> 7 & 0x01010101; /* no byte is -128 */
            word = (word ^ negative * 255) + negative;
        }
    *(int4 *)&to[at] = x;
}

/* The flags of strips from this row on: in double, next products. */
static strips find_flags(const device_matrices *m, size_t row, int what) {
    strips s = find_strips(m, row);
    s.flags += what * (m->n * m->n / (STRIP * TILE));
    s.found += what;
    return s;
}

template <int pass>
static void start_pass(const device_matrices *m, const product *p, size_t row,
                       size_t rows, cudaStream_t stream) {
    const int bytes = STAGES * sizeof(stage);
    int device, sm_count;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<pass>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    matmult_kernel<pass>
        <<<(unsigned)sm_count / CLUSTER * CLUSTER, THREADS, bytes, stream>>>(
            *p, find_flags(m, row, NEXT_PRODUCTS), find_flags(m, row, IN_DOUBLE),
            (unsigned)(rows / TILE));
    CUDA_CHECK(cudaGetLastError());
}

static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    slice_rows<image_layout>(&p, rows, stream);
    start_pass<1>(m, &p, row, rows, stream);
}

static void finish(const device_matrices *m, size_t row, size_t rows,
                   cudaStream_t stream) {
    product p = find_product(m, row);
    const unsigned a_tiles = (unsigned)(rows * p.n / (TILE * BK)),
                   b_tiles = (unsigned)(p.n * p.n / (TILE * BK)),
                   strip_count = (unsigned)(rows * p.n / (STRIP * TILE));
    if (m->found[NEXT_PRODUCTS]) {
        signed char *const slices_b = p.slices_b;
        p.slices_b = (signed char *)(find_flags(m, 0, 2).flags);
        if (!m->found[B_IS_READY]) {
            magnitude_kernel<<<dim3(b_tiles, SLICES), SLICE_BYTES / 16, 0, stream>>>(
                slices_b, p.slices_b);
            CUDA_CHECK(cudaGetLastError());
        }
        m->found[B_IS_READY] = 1;
        magnitude_kernel<<<a_tiles, SLICE_BYTES / 16, 0, stream>>>(p.slices_a,
                                                                   p.slices_a);
        CUDA_CHECK(cudaGetLastError());
        start_pass<2>(m, &p, row, rows, stream);
    }
    double_kernel<<<strip_count, TILE, 0, stream>>>(p, find_flags(m, row, IN_DOUBLE));
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    const size_t size = pad_to_tile(n, TILE) * pad_to_tile(n, TILE);
    return multiply_slices<image_layout>(
        a, lda, b, ldb, c, ldc, n, PANEL, multiply,
        "strips of 16 x 128 elements were computed in double",
        2 * size / (STRIP * TILE) + SLICES * size, finish, "took the next products");
}
