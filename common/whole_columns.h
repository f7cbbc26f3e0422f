/* whole_columns.h - slices whole columns of B in one kernel. Chapter: docs/77_whole_columns.md */
#ifndef WHOLE_COLUMNS_H
#define WHOLE_COLUMNS_H
#include "column_segments.h"
#include "sliced_product.h"

enum {
    WHOLE = 4, /* columns of B in a block */
    WHOLE_THREADS = 512,
    WHOLE_UP_TO = 1024 /* padded n */
};

/* Slices WHOLE columns of B, from top to bottom. */
static __global__ void __launch_bounds__(WHOLE_THREADS) whole_columns_kernel(const product p) {
    __shared__ unsigned largest[WHOLE], squares[WHOLE][SLICES + 1];
    const unsigned x = threadIdx.x % WHOLE, y = threadIdx.x / WHOLE;
    const size_t column = blockIdx.x * WHOLE + x;
    cudaTriggerProgrammaticLaunchCompletion(); /* who is launched early may begin */
    if (y == 0)
        largest[x] = 0;
    if (y <= SLICES)
        squares[x][y] = 0;
    __syncthreads();
    unsigned bits = 0; /* twice */
#pragma unroll 8       /* a test stays after each load */
    for (size_t k = y; k < p.n; k += WHOLE_THREADS / WHOLE)
        bits = max(bits, __float_as_uint(p.b[k * p.n + column]) * 2);
    atomicMax(&largest[x], bits / 2);
    __syncthreads();
    const bool held = can_hold(largest[x], p.n);
    const double scale = find_scale(largest[x], held);
    unsigned square[SLICES + 1] = {};
    for (size_t k = y * SEGMENT; k < p.n; k += WHOLE_THREADS / WHOLE * SEGMENT) {
        const size_t tile = image_layout::offset(column / TILE * TILE, 0, k / BK * BK, p.n);
        slice_segment(&p.b[k * p.n + column], p.n, scale, (uint4 *)&p.slices_b[tile], column % TILE,
                      k % BK / SEGMENT, square);
    }
    for (int d = 0; d <= SLICES; d++)
        atomicAdd(&squares[x][d], square[d]);
    __syncthreads();
    if (y == 0)
        p.columns[column] = describe(squares[x], scale, held);
    cudaGridDependencySynchronize(); /* or it may be over before A is sliced */
}

/* Starts it, once the kernel before has triggered. */
static void slice_whole_columns(const product &p, cudaStream_t stream) {
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {(unsigned)p.n / WHOLE, WHOLE_THREADS, 0, stream, &early, 1};
    CUDA_CHECK(cudaLaunchKernelEx(&config, whole_columns_kernel, p));
}

/* As slice, for a small product. */
static inline void slice_whole(const product &p, size_t row, size_t rows, cudaStream_t stream) {
    slice_rows<image_layout>(&p, rows, stream);
    if (row == 0)
        slice_whole_columns(p, stream);
}
#endif
