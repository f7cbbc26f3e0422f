/* matgen.h - random matrices with the same bits on every platform. */
#ifndef MATGEN_H
#define MATGEN_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Fills the rows x columns matrix a (row-major, leading dimension lda >= columns, in elements) with
 * uniform floats in [0, 1). The value at (i, j) depends on seed and on i * columns + j alone, not
 * on lda. Elements outside the matrix are not written. Generator: SplitMix64 (Steele, Lea, Flood
 * 2014), 53 bits rounded to a float, so that the low bits of small values are random too. */
void matgen(float *a, int lda, int rows, int columns, uint64_t seed);

/* The same, but rows first_row to end - 1 alone: several threads can fill a matrix. */
void matgen_rows(float *a, int lda, int first_row, int end, int columns, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
