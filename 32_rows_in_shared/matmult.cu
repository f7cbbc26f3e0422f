/* 32_rows_in_shared - a row of A waits in shared memory until its scale is known, and is
 * read from device memory once.
 *
 * New: slice_in_shared_kernel (rows_in_shared.h). Launch: for A n blocks of 256 threads
 * and 4 n bytes of shared memory, for B n / 2 blocks of 256 and 33 n / 4 bytes, in
 * clusters of 8; for the product 384 threads and 192 KB of shared memory for each SM, in
 * pairs; where something is flagged the same again; then 3 blocks of 128 threads for each
 * SM. Reads: 4 n^2 bytes of A and 4 n^2 of B, 4.5 n^3 / 128 bytes of slices in each pass,
 * 6 n^3 / 128 for a split tile, and for each sub-tile in double 144 n floats.
 * Chapter: docs/32_rows_in_shared.md
 * Run: make 32_rows_in_shared && ./32_rows_in_shared/run */
#include "../25_error_bound/bounded_call.h"
#include "../29_early_launch/product.h"
#include "../31_distributed_shared/cluster_columns.h"
#include "rows_in_shared.h"

/* How many pairs of tiles stay whole: all; or those that keep all clusters busy, where
 * the others are faster split. Times are counted in split tiles; a pair takes two. */
static unsigned count_whole(unsigned across, unsigned clusters) {
    const unsigned pairs = across / CLUSTER * across, odd = across % CLUSTER * across,
                   rest = pairs % clusters,
                   time_whole = (pairs + clusters - 1) / clusters * 2 +
                                (odd + clusters - 1) / clusters,
                   time_split = pairs / clusters * 2 +
                                (rest * CLUSTER + odd + clusters - 1) / clusters;
    return time_split < time_whole ? pairs - rest : pairs;
}

static void multiply(const bounded_operands &o) {
    slice_rows_in_shared(o);
    slice_columns_in_cluster(o);
    const unsigned bytes = STAGES * sizeof(stage), sms = count_sms(),
                   blocks = sms / CLUSTER * CLUSTER, tiles = (unsigned)(o.n / TILE),
                   whole = count_whole(tiles, sms / CLUSTER);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<1>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    launch_early(matmult_kernel<1>, blocks, THREADS, bytes, o, whole);
    magnitude_kernel<<<2 * tiles * tiles *(TILE / BK), 512>>>(o);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<2>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    launch_early(matmult_kernel<2>, blocks, THREADS, bytes, o, whole);
    CUDA_CHECK(cudaFuncSetAttribute(
        recompute_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, RECOMPUTE_BYTES));
    launch_early(recompute_kernel, sms * RECOMPUTE_BLOCKS, RECOMPUTE_THREADS,
                 RECOMPUTE_BYTES, o);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_bounded(a, lda, b, ldb, c, ldc, n, multiply);
}
