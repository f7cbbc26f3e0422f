/* 30_fused_slicing - one kernel slices B as it lies: no transpose, no copy of B.
 *
 * New: slice_columns_kernel (fused_columns.h).
 * Launch: for A n blocks of 256 threads, for B n / 8 blocks of 512; for the product 384
 * threads and 203 KB of shared memory for each SM, in pairs; then 4 blocks of 128
 * threads for each SM. Reads: 8 n^2 bytes of A and 8 n^2 of B, 4.5 n^3 / 128 bytes of
 * slices in each pass, 6 n^3 / 128 for a split tile, and for each sub-tile in double
 * 144 to 192 n floats.
 * Chapter: docs/30_fused_slicing.md
 * Run: make 30_fused_slicing && ./30_fused_slicing/run */
#include "../29_early_launch/product.h"
#include "fused_columns.h"

static void multiply(const bounded_operands &o) {
    slice_rows(o);
    slice_columns(o);
    multiply_slices(o);
    recompute(o);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_bounded(a, lda, b, ldb, c, ldc, n, multiply);
}
