/* compare_mat.h - how far a matrix is from its reference. */
#ifndef COMPARE_MAT_H
#define COMPARE_MAT_H
#ifdef __cplusplus
extern "C" {
#endif

typedef struct compare_result {
    double max_error;  /* largest relative error; infinite where a value is not finite and its
                          reference is */
    double mean_error; /* mean of the relative errors of all elements */
    int row, column; /* where the worst element is (the first of them); 0, 0 for an empty matrix */
} compare_result;

/* Relative error |a - b| / |b| of each element of a against the reference b, both rows x columns,
 * row-major.
 * - a NaN or an infinity where the reference is finite: infinite;
 * - a value that is not finite where the reference is not finite either: 0; a finite one there:
 * infinite;
 * - a reference of zero: 0 for a zero, infinite for anything else. */
compare_result compare_mat(const float *a, int lda, const float *b, int ldb, int rows, int columns);

/* The same against a reference in double that was not rounded to float. */
compare_result compare_mat_double(const float *a, int lda, const double *b, int ldb, int rows,
                                  int columns);

#ifdef __cplusplus
}
#endif
#endif
