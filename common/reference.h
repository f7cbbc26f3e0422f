/* reference.h - single rows of references, for sizes and questions where the whole product of 01 is
 * too much. */
#ifndef REFERENCE_H
#define REFERENCE_H
#ifdef __cplusplus
extern "C" {
#endif

/* One row of C = A B, n elements: a_row has n elements, b is n x n with leading dimension ldb. Each
 * element is summed over k in ascending order. */
/* In double, as matmult before its rounding. */
void sum_row_double(const float *a_row, const float *b, int ldb, double *c_row, int n);

/* Float products and a float sum: what a plain GPU kernel does. */
void sum_row_float(const float *a_row, const float *b, int ldb, float *c_row, int n);

/* In double with Neumaier's compensation: exact to far beyond a float. */
void sum_row_compensated(const float *a_row, const float *b, int ldb, double *c_row, int n);

/* (|A| |B|) of the same row: the scale of the error bound where sums cancel. */
void sum_row_magnitude(const float *a_row, const float *b, int ldb, double *m_row, int n);

#ifdef __cplusplus
}
#endif
#endif
