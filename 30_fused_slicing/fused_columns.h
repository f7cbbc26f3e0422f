/* fused_columns.h - one kernel finds the scales of columns of B, slices them where they
 * lie and finds their norms. Chapter: docs/30_fused_slicing.md */
#ifndef FUSED_COLUMNS_H
#define FUSED_COLUMNS_H
#include "../29_early_launch/product.h"

enum {
    SEGMENT = 16,      /* elements of a column; a slice of them has 16 bytes */
    FUSED_COLUMNS = 8, /* of B in a block: a sector of each row */
    FUSED_THREADS = 512
};

/* The bits of a segment's largest element, without the sign. */
static __device__ unsigned find_largest_bits(const float *b, size_t ldb) {
    unsigned bits = 0;
#pragma unroll /* all loads are in flight */
    for (int i = 0; i < SEGMENT; i++)
        bits = max(bits, __float_as_uint(b[i * ldb]) << 1);
    return bits >> 1;
}

/* Slices the segment at b, which begins at row k of this column; adds to the sums. */
static __device__ void slice_segment(const bounded_operands &o, size_t column, size_t k,
                                     const float *b, size_t ldb, double scale,
                                     norm_sums *sums) {
    float values[SEGMENT];
#pragma unroll
    for (int i = 0; i < SEGMENT; i++)
        values[i] = b[i * ldb];
    unsigned words[SEGMENT / 4][SLICES];
#pragma unroll
    for (int i = 0; i < SEGMENT / 4; i++)
        slice_four(make_float4(values[4 * i], values[4 * i + 1], values[4 * i + 2],
                               values[4 * i + 3]),
                   scale, words[i], sums);
    for (int d = 0; d < SLICES; d++)
        *(uint4 *)&o.b[packed_layout::offset(column, d, k, o.n)] =
            make_uint4(words[0][d], words[1][d], words[2][d], words[3][d]);
}

/* Whether slices can hold a row or column whose largest element has these bits. */
static __device__ bool can_hold(unsigned largest, size_t n) {
    return largest < 0x7f800000 && n <= LARGEST_N;
}

/* Stores what is known of a column once it is sliced. */
static __device__ void store_norms(const bounded_operands &o, size_t column,
                                   const norm_sums &sums, double scale, bool held) {
    const norms found = find_norms(sums, held);
    if (spoils(found, o.n))
        atomicAdd(&o.found->columns, 1);
    o.norms_b[column] = found;
    o.scale_b[column] = scale > 0 ? 256 / scale : 0;
}

/* Slices FUSED_COLUMNS columns of B. May begin before A is sliced. */
static __global__ void __launch_bounds__(FUSED_THREADS)
    slice_columns_kernel(const bounded_operands o) {
    __shared__ unsigned largest[FUSED_COLUMNS];
    __shared__ norm_sums sums[FUSED_COLUMNS];
    const unsigned x = threadIdx.x % FUSED_COLUMNS, y = threadIdx.x / FUSED_COLUMNS,
                   step = FUSED_THREADS / FUSED_COLUMNS * SEGMENT;
    const size_t column = blockIdx.x * FUSED_COLUMNS + x;
    const float *b = o.matrix_b + column;
    cudaTriggerProgrammaticLaunchCompletion(); /* the product may begin */
    if (y == 0) {
        largest[x] = 0;
        sums[x] = {};
    }
    __syncthreads();
    unsigned bits = 0;
    for (size_t k = y * SEGMENT; k < o.n; k += step)
        bits = max(bits, find_largest_bits(b + k * o.n, o.n));
    atomicMax(&largest[x], bits);
    __syncthreads();
    const bool held = can_hold(largest[x], o.n);
    const double scale = held ? find_scale(largest[x]) : 0;
    norm_sums own = {};
    for (size_t k = y * SEGMENT; k < o.n; k += step)
        slice_segment(o, column, k, b + k * o.n, o.n, scale, &own);
    add_sums(&sums[x], own);
    __syncthreads();
    if (y == 0)
        store_norms(o, column, sums[x], scale, held);
    /* The product waits for this kernel alone: it ends after the one that slices A. */
    cudaGridDependencySynchronize();
}

/* Slices A. */
static void slice_rows(const bounded_operands &o) {
    slice_with_norms_kernel<packed_layout><<<(unsigned)o.n, SLICE_THREADS>>>(
        o.matrix_a, NULL, o.n, o.a, o.scale_a, o.norms_a, &o.found->rows, NULL);
    CUDA_CHECK(cudaGetLastError());
}

/* Slices B, after A. */
static void slice_columns(const bounded_operands &o) {
    const cudaLaunchConfig_t columns =
        early_launch((unsigned)o.n / FUSED_COLUMNS, FUSED_THREADS, 0);
    CUDA_CHECK(cudaLaunchKernelEx(&columns, slice_columns_kernel, o));
}
#endif
