/* 26_next_products - what the bound of step 25 rejects gets a second pass on tensor
 * cores before double: two more products of slices, and a bound that |x0| |y0| makes
 * better.
 *
 * New: the second pass (next_products.h), which is the product's kernel again for pairs
 * of tiles with a flag (product.h).
 * Launch: 384 threads and 192 KB of shared memory for each SM, in pairs; where
 * something is flagged the same again; then 3 blocks of 128 threads for each SM. Reads:
 * 4.5 n^3 / 128 bytes of slices in each pass, and for each sub-tile in double 144 n
 * floats.
 * Chapter: docs/26_next_products.md
 * Run: make 26_next_products && ./26_next_products/run */
#include "product.h"

static void multiply(const bounded_operands &o) {
    slice_with_norms(o);
    const unsigned bytes = STAGES * sizeof(stage), sms = count_sms(),
                   blocks = sms / CLUSTER * CLUSTER, tiles = (unsigned)(o.n / TILE),
                   slice_tiles = 2 * tiles * (unsigned)(o.n / BK);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<1>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    matmult_kernel<1><<<blocks, THREADS, bytes>>>(o);
    CUDA_CHECK(cudaGetLastError());
    magnitude_kernel<<<slice_tiles, 512>>>(o);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<2>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    matmult_kernel<2><<<blocks, THREADS, bytes>>>(o);
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
