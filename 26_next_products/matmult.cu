/* 26_next_products - what the bound of step 25 rejects gets a second pass on tensor cores
 * before double: two more products of slices, and a bound that |x0| |y0| makes better.
 *
 * New: the second pass (next_products.h), which is the product's kernel again for pairs
 * of tiles with a flag (product.h). Launch: 384 threads and 192 KB of shared memory for
 * each SM, in pairs; where something is flagged the same again; then 3 blocks of 128
 * threads for each SM. Reads: 4.5 n^3 / 128 bytes of slices in each pass, and for each
 * sub-tile in double 144 n floats. Chapter: docs/26_next_products.md Run: make
 * 26_next_products && ./26_next_products/run */
#include "../25_error_bound/bounded_call.h"
#include "product.h"

template <int pass> static void multiply_tiles(const bounded_operands &o) {
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<pass>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    matmult_kernel<pass><<<count_sms() / CLUSTER * CLUSTER, THREADS, bytes>>>(o);
    CUDA_CHECK(cudaGetLastError());
}

static void multiply(const bounded_operands &o) {
    slice_with_norms(o);
    multiply_tiles<1>(o);
    find_magnitudes(o);
    multiply_tiles<2>(o);
    recompute(o);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_bounded(a, lda, b, ldb, c, ldc, n, multiply);
}
