/* 26_next_products - what the bound of step 25 rejects gets a second pass on tensor
 * cores before double: two more products of slices, and a bound that |x0| |y0| makes
 * better.
 *
 * New: the second pass (next_products.h), in the same kernel, over the pairs of tiles
 * that a cluster has flagged (product.h).
 * Launch: 384 threads and 203 KB of shared memory for each SM, in pairs; then 4 blocks of
 * 128 threads for each SM. Reads: 4.5 n^3 / 128 bytes of slices, the same again in the
 * second pass, and for each sub-tile in double 144 to 192 n floats.
 * Chapter: docs/26_next_products.md
 * Run: make 26_next_products && ./26_next_products/run */
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
