/* 79_columns_once - a column of B is read once: a cluster keeps it in its shared memory.
 *
 * New: columns_once_kernel; slice (A first). Launch: as 78; in place of the maxima and
 * slices of B one kernel. Reads: as 78; B once. Chapter: docs/79_columns_once.md
 * Run: make 79_columns_once && ./79_columns_once/run */
#include "column_maxima.h"
#include "halves.h"
#include "quick_consumer.h"
#include "whole_columns.h"
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

enum {
    PANEL = 1024, /* tiles of C in a panel */
    SMALL = 384,  /* up to this padded n double does it all, and is more exact */
    COLUMNS = 16, /* of B in a cluster */
    PARTS = 8,    /* of a column, one in each block of the cluster */
    KEPT = SEGMENT * COLUMNS + 8, /* floats of a segment; no bank conflicts */
    ONCE_UP_TO = 13952            /* padded n of which an SM holds two parts */
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

/* Where an element lies in a block's shared memory. */
static __device__ unsigned place(unsigned k, unsigned x) {
    return k / SEGMENT * KEPT + k % SEGMENT * COLUMNS + x;
}

/* Slices COLUMNS columns of B. A cluster keeps them, each block a part of the rows. */
static __global__ void __cluster_dims__(PARTS, 1, 1) __launch_bounds__(COLUMN_THREADS)
    columns_once_kernel(const product p) {
    extern __shared__ __align__(16) float part[];
    __shared__ unsigned largest[COLUMNS], squares[COLUMNS][SLICES + 1];
    const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    const unsigned rows = (unsigned)p.n / PARTS, first = blockIdx.x % PARTS * rows,
                   column = blockIdx.x / PARTS * COLUMNS, x4 = threadIdx.x % 4 * 4,
                   x = threadIdx.x / 4 % COLUMNS;
    cudaTriggerProgrammaticLaunchCompletion(); /* the product may begin */
    for (unsigned k = threadIdx.x / 4; k < rows; k += COLUMN_THREADS / 4)
        __pipeline_memcpy_async(&part[place(k, x4)],
                                &p.b[(first + k) * p.n + column + x4], sizeof(float4));
    __pipeline_commit();
    if (threadIdx.x < COLUMNS)
        largest[threadIdx.x] = 0;
    if (threadIdx.x < COLUMNS * (SLICES + 1))
        squares[x][threadIdx.x % (SLICES + 1)] = 0;
    __pipeline_wait_prior(0);
    __syncthreads();             /* the part is there */
    unsigned bits = 0, most = 0; /* bits: twice */
    for (unsigned k = threadIdx.x / COLUMNS; k < rows; k += COLUMN_THREADS / COLUMNS)
        bits = max(bits, __float_as_uint(part[place(k, threadIdx.x % COLUMNS)]) * 2);
    atomicMax(&largest[threadIdx.x % COLUMNS], bits / 2);
    cluster.sync(); /* each block has the largest of its part */
    for (int i = 0; i < PARTS; i++)
        most = max(most, *cluster.map_shared_rank(&largest[x], i));
    const bool held = can_hold(most, p.n);
    const double scale = find_scale(most, held);
    unsigned square[SLICES + 1] = {};
    for (unsigned k = (threadIdx.x / 64 * 4 + threadIdx.x % 4) * SEGMENT; k < rows;
         k += COLUMN_THREADS / COLUMNS * SEGMENT) {
        const size_t at = first + k, tile = image_layout::offset(column / TILE * TILE, 0,
                                                                 at / BK * BK, p.n);
        slice_segment(&part[place(k, x)], COLUMNS, scale, (uint4 *)&p.slices_b[tile],
                      (column + x) % TILE, at % BK / SEGMENT, square);
    }
    for (int d = 0; d <= SLICES; d++)
        atomicAdd(&squares[x][d], square[d]);
    __syncthreads();
    const unsigned d = threadIdx.x % (SLICES + 1);
    if (blockIdx.x % PARTS > 0 && threadIdx.x < COLUMNS * (SLICES + 1))
        atomicAdd(cluster.map_shared_rank(&squares[x][d], 0), squares[x][d]);
    cluster.sync();
    if (blockIdx.x % PARTS == 0 && threadIdx.x < COLUMNS * (SLICES + 1) && d == 0)
        p.columns[column + x] = describe(squares[x], scale, held);
    cudaGridDependencySynchronize(); /* or it may be over before A is sliced */
}

/* Starts it, once the kernel before has triggered or is over. */
static void slice_columns_once(const product &p, cudaStream_t stream) {
    const unsigned bytes = (unsigned)(p.n / PARTS / SEGMENT * KEPT * sizeof(float));
    CUDA_CHECK(cudaFuncSetAttribute(columns_once_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {
        (unsigned)p.n / COLUMNS * PARTS, COLUMN_THREADS, bytes, stream, &early, 1};
    CUDA_CHECK(cudaLaunchKernelEx(&config, columns_once_kernel, p));
}

/* Slices these rows of A, and B after the first ones. */
static void slice(const product &p, size_t row, size_t rows, cudaStream_t stream) {
    slice_rows<image_layout>(&p, rows, stream);
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
