/* 31_distributed_shared - a cluster of eight blocks keeps columns of B in its
 * distributed shared memory, and reads them from device memory once.
 *
 * New: slice_in_cluster_kernel (cluster_columns.h).
 * Launch: for A n blocks of 256 threads, for B n / 2 blocks of 256 and 33 n / 4 bytes
 * of shared memory, in clusters of 8; for the product 384 threads and 203 KB of shared
 * memory for each SM, in pairs; then 4 blocks of 128 threads for each SM. Reads: 8 n^2
 * bytes of A and 4 n^2 of B, 4.5 n^3 / 128 bytes of slices in each pass, 6 n^3 / 128
 * for a split tile, and for each sub-tile in double 144 to 192 n floats.
 * Chapter: docs/31_distributed_shared.md
 * Run: make 31_distributed_shared && ./31_distributed_shared/run */
#include "../29_early_launch/product.h"
#include "cluster_columns.h"

static void multiply(const bounded_operands &o) {
    slice_rows(o);
    slice_columns_in_cluster(o);
    multiply_slices(o);
    recompute(o);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_bounded(a, lda, b, ldb, c, ldc, n, multiply);
}
