/* cluster_columns.h - a cluster of blocks keeps columns of B in its distributed shared
 * memory, and reads them once. Chapter: docs/31_distributed_shared.md */
#ifndef CLUSTER_COLUMNS_H
#define CLUSTER_COLUMNS_H
#include "../30_fused_slicing/fused_columns.h"
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

enum {
    CLUSTER_COLUMNS = 16, /* of B in a cluster */
    PARTS = 8,            /* of a column: one for each block of the cluster */
    PART_THREADS = 256,
    SEGMENT_PITCH = SEGMENT * CLUSTER_COLUMNS + 8, /* floats; no bank conflicts */
    SMALLEST_CLUSTER_N = 1152, /* below it step 30 is faster: measured */
    LARGEST_CLUSTER_N = 13824  /* padded n; the parts of two blocks fit into an SM */
};

/* Where element k of column x of a part lies. */
static __device__ unsigned find_element(unsigned k, unsigned x) {
    return k / SEGMENT * SEGMENT_PITCH + k % SEGMENT * CLUSTER_COLUMNS + x;
}

/* Slices CLUSTER_COLUMNS columns of B in a cluster; a block has PARTS-th of the rows. May
 * begin before A is sliced. */
static __global__ void __cluster_dims__(PARTS, 1, 1) __launch_bounds__(PART_THREADS)
    slice_in_cluster_kernel(const bounded_operands o) {
    extern __shared__ __align__(16) float part[];
    __shared__ unsigned largest[CLUSTER_COLUMNS];
    __shared__ norm_sums sums[CLUSTER_COLUMNS];
    const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    const unsigned rank = blockIdx.x % PARTS, rows = (unsigned)o.n / PARTS,
                   first = rank * rows, column = blockIdx.x / PARTS * CLUSTER_COLUMNS;
    const float *b = o.matrix_b + first * o.ldb + column;
    cudaTriggerProgrammaticLaunchCompletion(); /* the product may begin */
    for (unsigned i = threadIdx.x; i < rows * CLUSTER_COLUMNS / 4; i += PART_THREADS) {
        const unsigned k = i / (CLUSTER_COLUMNS / 4), x = i % (CLUSTER_COLUMNS / 4) * 4;
        __pipeline_memcpy_async(&part[find_element(k, x)], &b[k * o.ldb + x],
                                sizeof(float4));
    }
    __pipeline_commit();
    /* Four neighbouring threads have four segments of a column. */
    const unsigned x = threadIdx.x / 4 % CLUSTER_COLUMNS,
                   y = threadIdx.x / 4 / CLUSTER_COLUMNS * 4 + threadIdx.x % 4,
                   step = PART_THREADS / CLUSTER_COLUMNS * SEGMENT;
    if (y == 0) {
        largest[x] = 0;
        sums[x] = {};
    }
    __pipeline_wait_prior(0);
    __syncthreads(); /* the part is complete */
    unsigned bits = 0;
    for (unsigned k = y * SEGMENT; k < rows; k += step)
        bits = max(bits, find_largest_bits(&part[find_element(k, x)], CLUSTER_COLUMNS));
    atomicMax(&largest[x], bits);
    cluster.sync(); /* each block has found the largest of its part */
    for (int i = 0; i < PARTS; i++)
        bits = max(bits, *cluster.map_shared_rank(&largest[x], i));
    const double scale = choose_scale(bits, o.n);
    norm_sums own = {};
    bool negative = false;
    for (unsigned k = y * SEGMENT; k < rows; k += step)
        negative |=
            slice_segment(o, o.left + column + x, first + k, &part[find_element(k, x)],
                          CLUSTER_COLUMNS, scale, &own);
    add_sums(&sums[x], own);
    negative = __syncthreads_or(negative);
    if (rank > 0 && y == 0)
        add_sums(cluster.map_shared_rank(&sums[x], 0), sums[x]);
    cluster.sync(); /* the first block has all sums, and nobody reads another's memory */
    if (rank == 0 && y == 0)
        store_norms(o, o.left + column + x, sums[x], scale, false);
    if (negative && threadIdx.x == 0)
        o.signs_b[(o.left + column) / TILE] = true;
    cudaGridDependencySynchronize(); /* not over before A is sliced */
}

/* Slices B, after A. */
static void slice_columns_in_cluster(const bounded_operands &o) {
    if (o.n < SMALLEST_CLUSTER_N || o.n > LARGEST_CLUSTER_N)
        return slice_columns(o);
    const unsigned bytes =
        (unsigned)o.n / PARTS / SEGMENT * SEGMENT_PITCH * sizeof(float);
    CUDA_CHECK(cudaFuncSetAttribute(slice_in_cluster_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const cudaLaunchConfig_t columns =
        early_launch(o.columns / CLUSTER_COLUMNS * PARTS, PART_THREADS, bytes);
    CUDA_CHECK(cudaLaunchKernelEx(&columns, slice_in_cluster_kernel, o));
}
#endif
