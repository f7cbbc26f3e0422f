/* xt.cu - cublasXt behind the contract of a step: NVIDIA's product of matrices in the host's
 * memory. Its handle is made and its block size chosen before the clock starts. */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include <cublasXt.h>

#ifndef PINNED
#define PINNED false /* the matrices are used where they are */
#endif

static void check(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        fprintf(stderr, "cuBLAS: %s\n", cublasGetStatusString(status));
        exit(1);
    }
}

static cublasXtHandle_t make_handle(void) {
    cublasXtHandle_t handle;
    int device = 0;
    check(cublasXtCreate(&handle));
    check(cublasXtDeviceSelect(handle, 1, &device));
    return handle;
}

/* Returns seconds. cuBLAS counts by columns: our rows are its columns, and C' = B' A'. */
static double multiply(cublasXtHandle_t handle, int block, const float *a, int lda, const float *b,
                       int ldb, float *c, int ldc, int n) {
    const float one = 1, zero = 0;
    const size_t size = (size_t)n;
    check(cublasXtSetBlockDim(handle, block));
    const double start = wall_seconds();
    check(cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, b, (size_t)ldb, a,
                        (size_t)lda, &zero, c, (size_t)ldc));
    return wall_seconds() - start;
}

/* The best of some block sizes, each after a call that is not counted. */
static int choose_block(cublasXtHandle_t handle, const float *a, int lda, const float *b, int ldb,
                        float *c, int ldc, int n) {
    int block = 0;
    double best = INFINITY;
    for (int tried = 1024; tried <= 8192 && (block == 0 || tried / 2 < n); tried *= 2) {
        multiply(handle, tried, a, lda, b, ldb, c, ldc, n);
        double seconds = multiply(handle, tried, a, lda, b, ldb, c, ldc, n);
        if (seconds < best)
            best = seconds, block = tried;
    }
    return block;
}

/* n x n floats between two places of the host. */
static void copy(float *to, int to_ld, const float *from, int from_ld, int n) {
    CUDA_CHECK(cudaMemcpy2D(to, (size_t)to_ld * sizeof(float), from,
                            (size_t)from_ld * sizeof(float), (size_t)n * sizeof(float), (size_t)n,
                            cudaMemcpyHostToHost));
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c, int ldc,
                           int n) {
    static cublasXtHandle_t handle;
    static int block, made_for; /* n */
    static float *pinned[3];    /* A, B and C, kept: to pin memory takes longer than a product */
    matmult_result result = {0, 0, NULL};
    if (!handle)
        handle = make_handle();
    if (PINNED && made_for != n)
        for (int i = 0; i < 3; i++) {
            CUDA_CHECK(cudaFreeHost(pinned[i]));
            CUDA_CHECK(cudaMallocHost(&pinned[i], (size_t)n * (size_t)n * sizeof(float)));
        }
    if (PINNED) {
        copy(pinned[0], n, a, lda, n);
        copy(pinned[1], n, b, ldb, n);
    }
    const float *from_a = PINNED ? pinned[0] : a, *from_b = PINNED ? pinned[1] : b;
    float *to_c = PINNED ? pinned[2] : c;
    const int ld_a = PINNED ? n : lda, ld_b = PINNED ? n : ldb, ld_c = PINNED ? n : ldc;
    if (made_for != n)
        block = choose_block(handle, from_a, ld_a, from_b, ld_b, to_c, ld_c, n);
    made_for = n;
    result.total = multiply(handle, block, from_a, ld_a, from_b, ld_b, to_c, ld_c, n);
    if (PINNED)
        copy(c, ldc, pinned[2], n, n);
    return result;
}
