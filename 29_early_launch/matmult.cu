/* 29_early_launch - a kernel is launched before the one before is over, and what it
 * does first costs no time.
 *
 * New: programmatic dependent launch of all kernels behind the slices, and where the
 * product's kernel waits for them (both in product.h).
 * Launch: 384 threads and 203 KB of shared memory for each SM, in pairs; then 4 blocks
 * of 128 threads for each SM. Reads: 4.5 n^3 / 128 bytes of slices in each pass, 6 n^3
 * / 128 for a split tile, and for each sub-tile in double 144 to 192 n floats.
 * Chapter: docs/29_early_launch.md
 * Run: make 29_early_launch && ./29_early_launch/run */
#include "product.h"

static void multiply(const bounded_operands &o) {
    slice_with_norms(o);
    multiply_slices(o);
    recompute(o);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_bounded(a, lda, b, ldb, c, ldc, n, multiply);
}
