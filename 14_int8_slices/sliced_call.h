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

static size_t pad(int n) { return ((size_t)n + TILE - 1) / TILE * TILE; }

/* The sums of 01, for smaller n, in one block: a thread for each element. */
static __global__ void double_kernel(const float *a, const float *b, float *c, size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += (double)a[threadIdx.y * n + k] * (double)b[k * n + threadIdx.x];
    c[threadIdx.y * n + threadIdx.x] = (float)sum;
}

/* What the product's kernel works on, in device memory. */
typedef struct sliced_operands {
    size_t n;                  /* padded */
    signed char *a, *b;        /* slices of the rows of A and of the columns of B */
    double *scale_a, *scale_b; /* their dequantization scales */
    float *c;                  /* n x n */
} sliced_operands;

/* Slices n x n matrices, B transposed in the memory of C, which is free until then. B's
 * slices come first: what was just transposed may still be in the L2 cache. */
template <class layout>
static sliced_operands slice_operands(const float *a, const float *b, float *c, size_t n,
                                      signed char *slices, double *scales) {
    const sliced_operands o = {n, slices + SLICES * n * n, slices, scales + n, scales, c};
    const unsigned rows = (unsigned)n;
    transpose_kernel<<<dim3(rows / SIDE, rows / SIDE), dim3(SIDE, 8)>>>(b, n, c, n);
    CUDA_CHECK(cudaGetLastError());
    slice_kernel<layout><<<2 * rows, SLICE_THREADS>>>(c, a, n, slices, scales);
    CUDA_CHECK(cudaGetLastError());
    return o;
}

/* Matrices in device memory, n padded, with zeros; more: so many bytes for the kernels.
 */
typedef struct device_matrices {
    size_t n;
    float *a, *b, *c;
    void *more;
} device_matrices;

static device_matrices copy_to_device(const float *a, int lda, const float *b, int ldb,
                                      int n, size_t more) {
    device_matrices m;
    m.n = pad(n);
    const size_t row_bytes = (size_t)n * sizeof(float),
                 pitch = m.n * sizeof(float); /* bytes from one row to the next */
    CUDA_CHECK(cudaMalloc(&m.a, m.n * pitch));
    CUDA_CHECK(cudaMalloc(&m.b, m.n * pitch));
    CUDA_CHECK(cudaMalloc(&m.c, m.n * pitch));
    CUDA_CHECK(cudaMalloc(&m.more, more));
    CUDA_CHECK(cudaMemset(m.a, 0, m.n * pitch));
    CUDA_CHECK(cudaMemset(m.b, 0, m.n * pitch));
    CUDA_CHECK(cudaMemcpy2D(m.a, pitch, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(m.b, pitch, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    return m;
}

/* Copies C to the host and frees device memory. */
static void copy_to_host(const device_matrices &m, float *c, int ldc, int n) {
    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), m.c, m.n * sizeof(float),
                            (size_t)n * sizeof(float), (size_t)n,
                            cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(m.a));
    CUDA_CHECK(cudaFree(m.b));
    CUDA_CHECK(cudaFree(m.c));
    CUDA_CHECK(cudaFree(m.more));
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
    const double start = wall_seconds();
    const size_t scale_bytes = 2 * pad(n) * sizeof(double);
    const device_matrices m =
        copy_to_device(a, lda, b, ldb, n, scale_bytes + 2 * SLICES * pad(n) * pad(n));
    kernel_timer timer = start_kernel_timer();
    if (n < SMALLEST_N)
        double_kernel<<<1, dim3(SMALLEST_N, SMALLEST_N)>>>(m.a, m.b, m.c, m.n);
    else
        multiply(slice_operands<layout>(
            m.a, m.b, m.c, m.n, (signed char *)m.more + scale_bytes, (double *)m.more));
    CUDA_CHECK(cudaGetLastError());
    result.kernel = stop_kernel_timer(&timer);
    copy_to_host(m, c, ldc, n);
    result.total = wall_seconds() - start;
    return result;
}
#endif
