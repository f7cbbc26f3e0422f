/* sgemm.cu - cuBLAS SGEMM behind the contract of a step: what the steps are compared with. */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include <cublas_v2.h>

#ifndef MATH_MODE
#define MATH_MODE CUBLAS_DEFAULT_MATH /* float products and sums */
#endif

static void check(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        fprintf(stderr, "cuBLAS: %s\n", cublasGetStatusString(status));
        exit(1);
    }
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c, int ldc,
                           int n) {
    static cublasHandle_t handle; /* made once: its creation takes longer than a product */
    const float one = 1, zero = 0;
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    if (!handle) {
        check(cublasCreate(&handle));
        check(cublasSetMathMode(handle, MATH_MODE));
    }
    double start = wall_seconds();

    float *device_a, *device_b, *device_c;
    size_t pitch_a, pitch_b, pitch_c;
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes, (size_t)n,
                            cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes, (size_t)n,
                            cudaMemcpyHostToDevice));

    /* cuBLAS counts by columns: our rows are its columns, and C' = B' A'. */
    kernel_timer timer = start_kernel_timer();
    check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, device_b,
                      (int)(pitch_b / sizeof(float)), device_a, (int)(pitch_a / sizeof(float)),
                      &zero, device_c, (int)(pitch_c / sizeof(float))));
    result.kernel = stop_kernel_timer(&timer);

    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, pitch_c, row_bytes, (size_t)n,
                            cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    result.total = wall_seconds() - start;
    return result;
}
