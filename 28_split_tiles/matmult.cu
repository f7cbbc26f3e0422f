/* 28_split_tiles - where the last tiles are too few for all SMs, a pair of blocks
 * splits one tile and takes half the time.
 *
 * New: parts of C in place of pairs of tiles (product.h), and a rule that says how many
 * pairs stay whole.
 * Launch: 384 threads and 203 KB of shared memory for each SM, in pairs; then 4 blocks
 * of 128 threads for each SM. Reads: 4.5 n^3 / 128 bytes of slices in each pass, 6 n^3
 * / 128 for a split tile, and for each sub-tile in double 144 to 192 n floats.
 * Chapter: docs/28_split_tiles.md
 * Run: make 28_split_tiles && ./28_split_tiles/run */
#include "product.h"

static void multiply(const bounded_operands &o) {
    slice_with_norms(o);
    const unsigned bytes = STAGES * sizeof(stage), sms = count_sms();
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const unsigned whole = count_whole(o, sms / CLUSTER);
    matmult_kernel<<<sms / CLUSTER * CLUSTER, THREADS, bytes>>>(o, whole);
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
