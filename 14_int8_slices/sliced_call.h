/* sliced_call.h - the host's part of a product of slices: plain copies, and the kernels
 * before the product. Chapter: docs/14_int8_slices.md */
#ifndef SLICED_CALL_H
#define SLICED_CALL_H
#include "../12_async_copy/transpose.h"
#include "cuda_check.h"
#include "matmult.h"
#include "slices.h"
#include "timing.h"

enum {
    TILE = 128,     /* rows and columns are padded to a multiple of it, with zeros */
    SMALLEST_N = 16 /* of a product of slices: shorter sums show the error of one term */
};

/* The sums of 01, for smaller n, in one block: a thread for each element. */
static __global__ void double_kernel(const float *a, const float *b, float *c, size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += (double)a[threadIdx.y * n + k] * (double)b[k * n + threadIdx.x];
    c[threadIdx.y * n + threadIdx.x] = (float)sum;
}

/* What the product's kernel works on, in device memory. */
typedef struct sliced_operands {
    size_t n;                        /* padded */
    const signed char *a, *b;        /* slices of the rows of A and of the columns of B */
    const double *scale_a, *scale_b; /* their dequantization scales */
    float *c;                        /* n x n */
} sliced_operands;

/* Slices n x n matrices, B transposed in the memory of C, which is free until then. */
template <class layout>
static sliced_operands slice_operands(const float *a, const float *b, float *c, size_t n,
                                      signed char *slices, double *scales) {
    const sliced_operands o = {n, slices, slices + SLICES * n * n, scales, scales + n, c};
    const unsigned rows = (unsigned)n;
    transpose_kernel<<<dim3(rows / SIDE, rows / SIDE), dim3(SIDE, 8)>>>(b, n, c, n);
    CUDA_CHECK(cudaGetLastError());
    slice_kernel<layout>
        <<<rows, SLICE_THREADS>>>(c, n, slices + SLICES * n * n, scales + n);
    CUDA_CHECK(cudaGetLastError());
    slice_kernel<layout><<<rows, SLICE_THREADS>>>(a, n, slices, scales);
    CUDA_CHECK(cudaGetLastError());
    return o;
}

/* matmultCUDA of a step that slices A and B in this layout. multiply launches the
 * product's kernel. */
template <class layout>
static matmult_result multiply_slices(const float *a, int lda, const float *b, int ldb,
                                      float *c, int ldc, int n,
                                      void (*multiply)(const sliced_operands &)) {
    matmult_result result = {0, 0, NULL};
    if (n > LARGEST_N) {
        fprintf(stderr,
                "n = %d is above %d, the most that 32-bit accumulators can hold\n", n,
                LARGEST_N);
        exit(1);
    }
    const size_t row_bytes = (size_t)n * sizeof(float),
                 padded = ((size_t)n + TILE - 1) / TILE * TILE,
                 pitch = padded * sizeof(float); /* bytes from one row to the next */
    const double start = wall_seconds();

    float *device_a, *device_b, *device_c;
    signed char *slices;
    double *scales;
    CUDA_CHECK(cudaMalloc(&device_a, padded * pitch));
    CUDA_CHECK(cudaMalloc(&device_b, padded * pitch));
    CUDA_CHECK(cudaMalloc(&device_c, padded * pitch));
    CUDA_CHECK(cudaMalloc(&slices, 2 * SLICES * padded * padded));
    CUDA_CHECK(cudaMalloc(&scales, 2 * padded * sizeof(double)));
    CUDA_CHECK(cudaMemset(device_a, 0, padded * pitch));
    CUDA_CHECK(cudaMemset(device_b, 0, padded * pitch));
    CUDA_CHECK(cudaMemcpy2D(device_a, pitch, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));

    kernel_timer timer = start_kernel_timer();
    if (n < SMALLEST_N)
        double_kernel<<<1, dim3(SMALLEST_N, SMALLEST_N)>>>(device_a, device_b, device_c,
                                                           padded);
    else
        multiply(
            slice_operands<layout>(device_a, device_b, device_c, padded, slices, scales));
    CUDA_CHECK(cudaGetLastError());
    result.kernel = stop_kernel_timer(&timer);

    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, pitch, row_bytes,
                            (size_t)n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    CUDA_CHECK(cudaFree(slices));
    CUDA_CHECK(cudaFree(scales));
    result.total = wall_seconds() - start;
    return result;
}
#endif
