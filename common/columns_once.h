/* columns_once.h - slices columns of B that a cluster reads once and keeps in its shared memory.
 * Chapter: docs/79_columns_once.md */
#ifndef COLUMNS_ONCE_H
#define COLUMNS_ONCE_H
#include "columns.h"
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

enum {
    COLUMNS = 16,                 /* of B in a cluster */
    PARTS = 8,                    /* of a column, one in each block of the cluster */
    KEPT = SEGMENT * COLUMNS + 8, /* floats of a segment; no bank conflicts */
    ONCE_UP_TO = 13952            /* padded n of which an SM holds two parts */
};

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
        __pipeline_memcpy_async(&part[place(k, x4)], &p.b[(first + k) * p.n + column + x4],
                                sizeof(float4));
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
        const size_t at = first + k,
                     tile = image_layout::offset(column / TILE * TILE, 0, at / BK * BK, p.n);
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
#endif
