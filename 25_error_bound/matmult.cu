/* 25_error_bound - every element of C is within 1e-6 of (|A| |B|), whatever A and B are:
 * a bound of its error is computed beside it, and what the bound rejects is computed in
 * double, in sub-tiles of 16 x 128.
 *
 * New: the norms of rows and columns (error_bound.h), flags in the epilogue (product.h),
 * a list of flagged sub-tiles, and a kernel that takes them from there (recompute.h).
 * Launch: 384 threads and 203 KB of shared memory for each SM, in pairs; then 4 blocks of
 * 128 threads for each SM. Reads: 4.5 n^3 / 128 bytes of slices, and for each flagged
 * sub-tile 144 to 192 n floats.
 * Chapter: docs/25_error_bound.md
 * Run: make 25_error_bound && ./25_error_bound/run */
#include "product.h"

static void multiply(const bounded_operands &o) {
    slice_with_norms(o);
    const unsigned bytes = STAGES * sizeof(stage), sms = count_sms();
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    matmult_kernel<<<sms / CLUSTER * CLUSTER, THREADS, bytes>>>(o);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaFuncSetAttribute(
        recompute_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, RECOMPUTE_BYTES));
    recompute_kernel<<<sms * RECOMPUTE_BLOCKS, RECOMPUTE_THREADS, RECOMPUTE_BYTES>>>(o);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_bounded(a, lda, b, ldb, c, ldc, n, multiply);
}
