/* rows_once.h - slices rows of A that it reads once. Chapter: docs/32_rows_in_shared.md */
#ifndef ROWS_ONCE_H
#define ROWS_ONCE_H
#include "sliced_product.h"
#include "tile_images.h"
#include <cuda_pipeline.h>

/* Slices rows of A, a block for each. A thread uses only what it has copied itself. */
static __global__ void __launch_bounds__(SLICE_THREADS) rows_once_kernel(const product p) {
    extern __shared__ float4 kept[];
    __shared__ unsigned largest, squares[SLICES + 1]; /* of slices, of errors */
    cudaTriggerProgrammaticLaunchCompletion();        /* who is launched early may begin */
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
            *(unsigned *)&p.slices_a[image_layout::offset(blockIdx.x, d, i * 4, p.n)] = word[d];
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
    CUDA_CHECK(
        cudaFuncSetAttribute(rows_once_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    rows_once_kernel<<<(unsigned)rows, SLICE_THREADS, bytes, stream>>>(p);
    CUDA_CHECK(cudaGetLastError());
}
#endif
