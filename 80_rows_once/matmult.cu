/* 80_rows_once - a row of A is read once: it stays in shared memory until it is sliced.
 *
 * New: rows_once_kernel, slice_rows_once. Launch: as 79. Reads: as 79; A once.
 * Chapter: docs/80_rows_once.md
 * Run: make 80_rows_once && ./80_rows_once/run */
#include "column_maxima.h"
#include "columns_once.h"
#include "halves.h"
#include "quick_consumer.h"
#include "whole_columns.h"
#include <cuda_pipeline.h>

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

/* Slices rows of A, a block for each. A thread uses only what it has copied itself. */
static __global__ void __launch_bounds__(SLICE_THREADS)
    rows_once_kernel(const product p) {
    extern __shared__ float4 kept[];
    __shared__ unsigned largest, squares[SLICES + 1]; /* of slices, of errors */
    cudaTriggerProgrammaticLaunchCompletion(); /* who is launched early may begin */
    for (unsigned i = threadIdx.x; i < p.n / 4; i += SLICE_THREADS)
        __pipeline_memcpy_async(&kept[i], &p.a[blockIdx.x * p.n + i * 4], sizeof *kept);
    __pipeline_commit();
    if (threadIdx.x == 0)
        largest = squares[0] = squares[1] = squares[2] = squares[SLICES] = 0;
    __syncthreads();
    __pipeline_wait_prior(0);
    unsigned bits = 0; /* twice */
    for (unsigned i = threadIdx.x; i < p.n / 4; i += SLICE_THREADS) {
        const uint4 four = *(const uint4 *)&kept[i];
        bits = max(max(bits, four.x * 2), max(max(four.y * 2, four.z * 2), four.w * 2));
    }
    atomicMax(&largest, bits / 2);
    __syncthreads();
    const bool held = can_hold(largest, p.n);
    const double scale = find_scale(largest, held);
    unsigned square[SLICES + 1] = {}, word[SLICES];
    for (unsigned i = threadIdx.x; i < p.n / 4; i += SLICE_THREADS) {
        slice_four(kept[i], scale, word, square);
        for (int d = 0; d < SLICES; d++)
            *(unsigned *)&p.slices_a[image_layout::offset(blockIdx.x, d, i * 4, p.n)] =
                word[d];
    }
    for (int d = 0; d <= SLICES; d++)
        atomicAdd(&squares[d], square[d]);
    __syncthreads();
    if (threadIdx.x == 0)
        p.rows[blockIdx.x] = describe(squares, scale, held);
}

/* Slices these rows of A. */
static void slice_rows_once(const product &p, size_t rows, cudaStream_t stream) {
    if (p.n > LARGEST_N) /* slices cannot hold them, nor does shared memory */
        return slice_rows<image_layout>(&p, rows, stream);
    const unsigned bytes = (unsigned)(p.n * sizeof(float));
    CUDA_CHECK(cudaFuncSetAttribute(rows_once_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    rows_once_kernel<<<(unsigned)rows, SLICE_THREADS, bytes, stream>>>(p);
    CUDA_CHECK(cudaGetLastError());
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
