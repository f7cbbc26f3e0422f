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

/* Slices the segment at b, which begins at row k of this column; adds to the sums.
 * Returns whether there are negative elements. */
static __device__ bool slice_segment(const bounded_operands &o, size_t column, size_t k,
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
                   isnan(scale) ? 0 : scale, words[i], sums);
    for (int d = 0; d < SLICES; d++)
        *(uint4 *)&o.b[packed_layout::offset(column, d, k, o.n)] =
            make_uint4(words[0][d], words[1][d], words[2][d], words[3][d]);
    const bool negative =
        (words[0][0] | words[1][0] | words[2][0] | words[3][0]) & 0x80808080;
    if (negative)
        *(uint4 *)&o.magnitudes_b[find_magnitudes(column, k, o.n)] =
            make_uint4(__vabs4(words[0][0]), __vabs4(words[1][0]), __vabs4(words[2][0]),
                       __vabs4(words[3][0]));
    return negative;
}

/* The scale of a row or column whose largest element has these bits; NaN, if slices
 * cannot hold it. */
static __device__ double choose_scale(unsigned largest, size_t n) {
    return largest < 0x7f800000 && n <= LARGEST_N ? find_scale(largest) : NAN;
}

/* Slices FUSED_COLUMNS columns of B. May begin before A is sliced. */
static __global__ void __launch_bounds__(FUSED_THREADS)
    slice_columns_kernel(const bounded_operands o) {
    __shared__ unsigned largest[FUSED_COLUMNS];
    __shared__ norm_sums sums[FUSED_COLUMNS];
    const unsigned x = threadIdx.x % FUSED_COLUMNS, y = threadIdx.x / FUSED_COLUMNS,
                   step = FUSED_THREADS / FUSED_COLUMNS * SEGMENT;
    const size_t column = o.left + blockIdx.x * FUSED_COLUMNS + x;
    const float *b = o.matrix_b + blockIdx.x * FUSED_COLUMNS + x;
    cudaTriggerProgrammaticLaunchCompletion(); /* the product may begin */
    if (y == 0) {
        largest[x] = 0;
        sums[x] = {};
    }
    __syncthreads();
    unsigned bits = 0;
    for (size_t k = y * SEGMENT; k < o.n; k += step)
        bits = max(bits, find_largest_bits(b + k * o.ldb, o.ldb));
    atomicMax(&largest[x], bits);
    __syncthreads();
    const double scale = choose_scale(largest[x], o.n);
    norm_sums own = {};
    bool negative = false;
    for (size_t k = y * SEGMENT; k < o.n; k += step)
        negative |= slice_segment(o, column, k, b + k * o.ldb, o.ldb, scale, &own);
    add_sums(&sums[x], own);
    negative = __syncthreads_or(negative);
    if (y == 0)
        store_norms(o, column, sums[x], scale, negative);
    /* The product waits for this kernel alone: it ends after the one that slices A. */
    cudaGridDependencySynchronize();
}

/* Slices A. */
static void slice_rows(const bounded_operands &o) {
    slice_with_norms_kernel<<<o.rows, SLICE_THREADS>>>(o, (unsigned)o.n + o.top);
    CUDA_CHECK(cudaGetLastError());
}

/* Slices B, after A. */
static void slice_columns(const bounded_operands &o) {
    const cudaLaunchConfig_t columns =
        early_launch(o.columns / FUSED_COLUMNS, FUSED_THREADS, 0);
    CUDA_CHECK(cudaLaunchKernelEx(&columns, slice_columns_kernel, o));
}
#endif
