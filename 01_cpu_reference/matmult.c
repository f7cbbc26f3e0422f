/* 01_cpu_reference - the product on the CPU, the reference for every later step.
 *
 * Three loops, as in the definition. The product of two floats is exact in double; the
 * sum is a double and is rounded to float once, at the end.
 * Launch: none.
 * Reads: 2 n^3 floats, for each element n along a row of A and n down a column of B.
 * Chapter: docs/01_cpu_reference.md
 * Run: make 01_cpu_reference && ./01_cpu_reference/run */
#include "matmult.h"
#include <stddef.h>

void matmult(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int n) {
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += (double)a[(size_t)row * (size_t)lda + (size_t)k] *
                       (double)b[(size_t)k * (size_t)ldb + (size_t)column];
            c[(size_t)row * (size_t)ldc + (size_t)column] = (float)sum;
        }
    }
}
