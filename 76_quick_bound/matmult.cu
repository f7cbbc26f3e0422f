/* 76_quick_bound - the error bound of a tile's worst column first: where that is enough,
 * no element needs its own.
 *
 * New: find_worst, store_quickly, find_wants, consume_first. Launch: as 75. Reads: as 75.
 * Chapter: docs/76_quick_bound.md
 * Run: make 76_quick_bound && ./76_quick_bound/run */
#include "consumer.h"
#include "early_slices.h"
#include "halves.h"

enum {
    PANEL = 1024, /* tiles of C in a panel */
    SMALL = 384   /* up to this padded n double does it all, and is more exact */
};

/* B waits for the first rows of A. In a small product all strips are done in double. */
static void prepare_small(const device_matrices *m, cudaStream_t stream) {
    if (m->n > SMALL)
        return;
    const strips marked = find_strips(m, 0);
    CUDA_CHECK(
        cudaMemsetAsync(marked.flags, IN_DOUBLE, m->n * m->n / (STRIP * TILE), stream));
    *marked.found = 1;
}

/* For the columns of a tile, the largest of each component: no bound is above this one's.
 */
static __device__ vector_info find_worst(const vector_info *columns) {
    vector_info worst = {};
    for (unsigned x = threadIdx.x % 32; x < TILE; x += 32) {
        worst.rounding = fmaxf(worst.rounding, columns[x].rounding);
        worst.all = fmaxf(worst.all, columns[x].all);
        worst.middle = fmaxf(worst.middle, columns[x].middle);
        worst.low = fmaxf(worst.low, columns[x].low);
    }
    for (float *part : {&worst.rounding, &worst.all, &worst.middle, &worst.low})
        *part = __uint_as_float(__reduce_max_sync(~0u, __float_as_uint(*part)));
    return worst; /* lengths have no sign, so their bits have their order */
}

/* Stores a warp's elements. Returns whether the bound of the worst column is enough for
 * the smallest sum of each row; the sums of a column of zeros are exact. */
static __device__ bool store_quickly(const product &p, const vector_info *left,
                                     const vector_info *columns, float *c,
                                     const int (&level)[SLICES][SUMS]) {
    int smallest[] = {INT_MAX,
                      INT_MAX}; /* upper words of doubles, which have their order */
    float largest = 0;
#pragma unroll
    for (int i = 0; i < SUMS; i += 2) {
        const int down = i / 2 % 2;
        const vector_info *right = &columns[threadIdx.x % 4 * 2 + i / 4 * 8];
        float value[2];
        for (int j = 0; j < 2; j++) {
            const double exact =
                add_levels(level[0][i + j], level[1][i + j], level[2][i + j]);
            value[j] = (float)(exact * left[down].unit * right[j].unit);
            largest = fmaxf(largest, fabsf(value[j]));
            if (right[j].unit > 0)
                smallest[down] = min(smallest[down], __double2hiint(exact) & INT_MAX);
        }
        *(float2 *)&c[i / 4 * 8 + down * 8 * p.n] = make_float2(value[0], value[1]);
    }
    const vector_info worst = find_worst(columns);
    bool enough = !must_repeat(largest);
    for (int down = 0; down < 2; down++)
        enough &= is_within(error_bound(left[down], worst),
                            65536 * (float)__hiloint2double(smallest[down], 0));
    return __all_sync(~0u, enough);
}

/* What a lane's elements want by their own bounds. */
static __device__ int find_wants(const vector_info *left, const vector_info *columns,
                                 int (&level)[SLICES][SUMS]) {
    int wants = 0;
    finish_products(level); /* or the compiler keeps the sums of the levels, and spills */
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        combine_first(left[i / 2 % 2], columns[threadIdx.x % 4 * 2 + i / 4 * 8 + i % 2],
                      level[0][i], level[1][i], level[2][i], &wants);
    return wants;
}

/* As consume, in the first pass. */
static __device__ void consume_first(pipeline *pipe, const product &p,
                                     const strips &marked, unsigned row, unsigned column,
                                     unsigned rows) {
    int level[SLICES][SUMS] = {};
    add_products<1>(pipe, p, level);
    const unsigned turn = pipe->turn - 1, strip = threadIdx.x / 32,
                   y = strip * STRIP + threadIdx.x % 32 / 4;
    if (row == rows)
        return release(pipe, turn);
    const stage *s = &pipe->stages[turn % STAGES];
    const vector_info left[] = {s->rows[y], s->rows[y + 8]};
    float *c = p.c + (size_t)(row + y) * p.n + column + threadIdx.x % 4 * 2;
    int wants = 0;
    if (!store_quickly(p, left, s->columns, c, level))
        wants = find_wants(left, s->columns, level);
    release(pipe, turn);
    const int any = __any_sync(~0u, wants), fp64 = __any_sync(~0u, wants & IN_DOUBLE);
    if (threadIdx.x % 32 == 0)
        marked.flags[column / TILE * (p.n / STRIP) + row / STRIP + strip] =
            fp64  ? IN_DOUBLE
            : any ? SECOND
                  : 0;
    if (any)
        marked.found[!fp64] = 1;
}

template <int pass>
static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const product p, const strips marked, unsigned rows, bool halves) {
    extern __shared__ __align__(1024) signed char memory[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    pipeline pipe = {(stage *)memory, full, empty, 0};
    const unsigned rank = blockIdx.x % CLUSTER,
                   down = halves ? rows / TILE : (rows / TILE + 1) / CLUSTER,
                   pairs = down * (unsigned)(p.n / TILE);
    if (threadIdx.x < STAGES) {
        init_barrier(&full[threadIdx.x], 1);
        init_barrier(&empty[threadIdx.x],
                     CLUSTER * (halves ? 1 : CONSUMERS) * 4); /* warps */
    }
    sync_cluster(); /* the barriers are there */
    if (threadIdx.x / WARPGROUP == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        for (unsigned i = blockIdx.x / CLUSTER; threadIdx.x % WARPGROUP == 0 && i < pairs;
             i += gridDim.x / CLUSTER) {
            const unsigned row = (halves ? i % down : i % down * CLUSTER + rank) * TILE;
            if (halves)
                produce_half(&pipe, p, min(row, rows - TILE), i / down * TILE, rank);
            else if (has_pair<pass>(p, marked, i, down, rows))
                produce(&pipe, p, min(row, rows - TILE), i / down * TILE, rank);
        }
    } else if (!halves || threadIdx.x / WARPGROUP == rank) {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            const unsigned row = (halves ? i % down : i % down * CLUSTER + rank) * TILE;
            if (pass == 1)
                consume_first(&pipe, p, marked, row, i / down * TILE, rows);
            else if (has_pair<2>(p, marked, i, down, rows))
                consume<2>(&pipe, p, marked, row, i / down * TILE, rows);
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

template <int pass>
static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    if (p.n <= SMALL)
        return;
    if (pass == 1)
        slice(p, row, rows, stream);
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<pass>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int device, blocks; /* as many as SMs */
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
    const unsigned clusters = (unsigned)blocks / CLUSTER, across = (unsigned)p.n / TILE,
                   tiles = (unsigned)rows / TILE * across,
                   pairs = (unsigned)(rows / TILE + 1) / CLUSTER * across;
    /* rounds, a half of a tile in each block; all take twice as long as halves */
    const bool halves =
        pass == 1 && (tiles - 1) / clusters + 1 < ((pairs - 1) / clusters + 1) * 2;
    matmult_kernel<pass><<<clusters * CLUSTER, THREADS, bytes, stream>>>(
        p, find_strips(m, row), (unsigned)rows, halves);
    CUDA_CHECK(cudaGetLastError());
}

static void finish(const device_matrices *m, cudaStream_t stream) {
    const product p = find_product(m, 0);
    const unsigned count = (unsigned)(p.n * p.n / (STRIP * TILE));
    if (m->found[1]) { /* slices_a lie behind slices_b */
        magnitude_kernel<<<2 * count * STRIP / BK, 512, 0, stream>>>(p.slices_b);
        CUDA_CHECK(cudaGetLastError());
        multiply<2>(m, 0, p.n, stream);
    }
    double_kernel<<<count, STRIP_THREADS, 0, stream>>>(p, find_strips(m, 0));
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    const size_t padded = pad_to_tile(n, TILE);
    return multiply_slices<image_layout>(
        a, lda, b, ldb, c, ldc, n, PANEL, multiply<1>,
        "strips of 16 x 128 elements were computed in double",
        padded * padded / (STRIP * TILE), finish, "strips took the next products",
        prepare_small);
}
