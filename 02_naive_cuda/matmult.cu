/* 02_naive_cuda - the first kernel: one thread for each element of C.
 *
 * New: the product runs on the device, and the sum is a float. It loses low bits as it
 * grows: the largest error passes 1e-6 above about n = 128.
 * Launch: ceil(n / 256) * n blocks of 256 threads; thread i computes row i / n, column
 * i % n. The threads past the last row return at once.
 * Reads: 2 n^3 floats of global memory.
 * Chapter: docs/02_naive_cuda.md
 * Run: make 02_naive_cuda && ./02_naive_cuda/run */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"

enum { THREADS = 256 };

static __global__ void matmult_kernel(const float *a, size_t lda, const float *b,
                                      size_t ldb, float *c, size_t ldc, size_t n) {
    size_t index = (size_t)blockIdx.x * THREADS + threadIdx.x;
    size_t row = index / n, column = index % n;
    if (row >= n)
        return;
    float sum = 0;
    for (size_t k = 0; k < n; k++) {
        sum += a[row * lda + k] * b[k * ldb + column];
    }
    c[row * ldc + column] = sum;
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    double start = wall_seconds();

    float *device_a, *device_b, *device_c;
    CUDA_CHECK(cudaMalloc(&device_a, row_bytes * (size_t)n));
    CUDA_CHECK(cudaMalloc(&device_b, row_bytes * (size_t)n));
    CUDA_CHECK(cudaMalloc(&device_c, row_bytes * (size_t)n));
    CUDA_CHECK(cudaMemcpy2D(device_a, row_bytes, a, (size_t)lda * sizeof(float),
                            row_bytes, (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_b, row_bytes, b, (size_t)ldb * sizeof(float),
                            row_bytes, (size_t)n, cudaMemcpyHostToDevice));

    kernel_timer timer = start_kernel_timer();
    unsigned blocks = ((unsigned)n + THREADS - 1) / THREADS * (unsigned)n;
    matmult_kernel<<<blocks, THREADS>>>(device_a, n, device_b, n, device_c, n, n);
    CUDA_CHECK(cudaGetLastError());
    result.kernel = stop_kernel_timer(&timer);

    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, row_bytes,
                            row_bytes, (size_t)n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    result.total = wall_seconds() - start;
    return result;
}
