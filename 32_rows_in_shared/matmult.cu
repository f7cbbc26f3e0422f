/* 32_rows_in_shared - a row of A waits in shared memory until its scale is known, and
 * is read from device memory once.
 *
 * New: slice_in_shared_kernel (rows_in_shared.h).
 * Launch: for A n blocks of 256 threads and 4 n bytes of shared memory, for B n / 2
 * blocks of 256 and 33 n / 4 bytes, in clusters of 8; for the product 384 threads and
 * 203 KB of shared memory for each SM, in pairs; then 4 blocks of 128 threads for each
 * SM. Reads: 4 n^2 bytes of A and 4 n^2 of B, 4.5 n^3 / 128 bytes of slices in each
 * pass, 6 n^3 / 128 for a split tile, and for each sub-tile in double 144 to 192 n
 * floats.
 * Chapter: docs/32_rows_in_shared.md
 * Run: make 32_rows_in_shared && ./32_rows_in_shared/run */
#include "../29_early_launch/product.h"
#include "../31_distributed_shared/cluster_columns.h"
#include "rows_in_shared.h"

static void multiply(const bounded_operands &o) {
    slice_rows_in_shared(o);
    slice_columns_in_cluster(o);
    multiply_slices(o);
    recompute(o);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_bounded(a, lda, b, ldb, c, ldc, n, multiply);
}
