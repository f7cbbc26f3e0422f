/* reference.h - single rows of references, where the whole product of step 01 takes too long. */
#ifndef REFERENCE_H
#define REFERENCE_H
#ifdef __cplusplus
extern "C" {
#endif

/* Each function sums one row of C = A B, n elements, over k in ascending order. a_row has n
 * elements; b is n x n with leading dimension ldb. */

/* In double, as matmult before its rounding. */
void sum_row_double(const float *a_row, const float *b, int ldb, double *c_row, int n);

/* Float products and a float sum: what a plain GPU kernel does. */
void sum_row_float(const float *a_row, const float *b, int ldb, float *c_row, int n);

/* In double with Neumaier's compensation: far more precise than a float can show. */
void sum_row_compensated(const float *a_row, const float *b, int ldb, double *c_row, int n);

/* (|A| |B|) of the same row: what the error bound is relative to where sums cancel. */
void sum_row_magnitude(const float *a_row, const float *b, int ldb, double *m_row, int n);

#ifdef __cplusplus
}
#endif
#endif
