/* 81_wanted_columns - of a strip that goes to double, only the columns that want it.
 *
 * New: is_good, compute_wanted. Launch, reads: as 80; B is loaded whole all the same.
 * Chapter: docs/81_wanted_columns.md
 * Run: make 81_wanted_columns && ./81_wanted_columns/run */
#include "column_maxima.h"
#include "columns_once.h"
#include "halves.h"
#include "quick_consumer.h"
#include "rows_once.h"
#include "whole_columns.h"

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
    CUDA_CHECK(cudaMemsetAsync(find_product(m, 0).columns, 0xff,
                               2 * m->n * sizeof(vector_info), stream)); /* NaN */
    CUDA_CHECK(cudaMemsetAsync(m->c, 0xff, m->n * m->n * sizeof(float), stream));
    *marked.found = 1;
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
    sync_cluster();                  /* the barriers are there */
    cudaGridDependencySynchronize(); /* and now the slices */
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

/* Slices these rows of A, and B after the first ones. */
static void slice(const product &p, size_t row, size_t rows, cudaStream_t stream) {
    slice_rows_once(p, rows, stream);
    if (row > 0)
        return;
    if (p.n <= WHOLE_UP_TO)
        return slice_whole_columns(p, stream);
    if (p.n <= ONCE_UP_TO)
        return slice_columns_once(p, stream);
    measure_columns(p, p.n, stream);
    slice_columns(p, p.n, stream);
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
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {
        clusters * CLUSTER, THREADS, bytes, stream, &early, 1};
    CUDA_CHECK(cudaLaunchKernelEx(&config, matmult_kernel<pass>, p, find_strips(m, row),
                                  (unsigned)rows, halves));
}

/* Whether the bound of the first pass is within 1e-6 of an element, as it is in C. A
 * value that may have lost bits counts as 0. */
static __device__ bool is_good(const product &p, size_t row, size_t column) {
    const vector_info &left = p.rows[row], &right = p.columns[column];
    const float value = fabsf(p.c[row * p.n + column]),
                sum = value < 0x1p-126f ? 0 : (float)(value / (left.unit * right.unit));
    return !must_repeat(value) && is_within(error_bound(left, right), 65536 * sum);
}

/* Computes a strip in double, with the sums of 01. A warp has 2 x 16 columns, and leaves
 * them if all are good; a thread has TM rows of TN columns. */
static __device__ void compute_wanted(const product &p, unsigned strip) {
    __shared__ __align__(16) double tiles_a[2][DEPTH][STRIP + 2]; /* no bank conflicts */
    const unsigned lane = threadIdx.x % 32, y = lane / 16 * TM;
    const size_t down = p.n / STRIP, row = strip % down * STRIP,
                 column = strip / down * TILE + threadIdx.x / 32 * 16 + lane % 16;
    bool wanted = false;
    for (int i = 0; i < TM * TN; i++)
        wanted |= !is_good(p, row + y + i / TN, column + i % TN * (TILE / TN));
    wanted = __any_sync(~0u, wanted);
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
        if (wanted)
#pragma unroll
            for (int l = 0; l < DEPTH; l++)
#pragma unroll
                for (int i = 0; i < TM * TN; i++)
                    sum[i / TN][i % TN] =
                        fma(tile_a[l][y + i / TN], b[l][i % TN], sum[i / TN][i % TN]);
    }
#pragma unroll
    for (int i = 0; i < TM * TN && wanted; i++)
        p.c[(row + y + i / TN) * p.n + column + i % TN * (TILE / TN)] =
            (float)sum[i / TN][i % TN];
    if (threadIdx.x == 0)
        atomicAdd(p.again, 1);
}

static __global__ void __launch_bounds__(STRIP_THREADS, 4)
    wanted_kernel(const product p, const strips marked) {
    if (marked.flags[blockIdx.x] & IN_DOUBLE)
        compute_wanted(p, blockIdx.x);
}

static void finish(const device_matrices *m, cudaStream_t stream) {
    const product p = find_product(m, 0);
    const unsigned count = (unsigned)(p.n * p.n / (STRIP * TILE));
    if (m->found[1]) { /* slices_a lie behind slices_b */
        magnitude_kernel<<<2 * count * STRIP / BK, 512, 0, stream>>>(p.slices_b);
        CUDA_CHECK(cudaGetLastError());
        multiply<2>(m, 0, p.n, stream);
    }
    wanted_kernel<<<count, STRIP_THREADS, 0, stream>>>(p, find_strips(m, 0));
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
