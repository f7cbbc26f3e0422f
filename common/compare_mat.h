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

/* The relative error |value - reference| / |reference| of each element; both matrices are
 * rows x columns, row-major. What the formula cannot say:
 * - the reference is finite, the value is a NaN or an infinity: infinite;
 * - the reference is not finite: 0 for any value that is not finite either, else infinite;
 * - the reference is zero: 0 for a zero, else infinite. */
compare_result compare_mat(const float *value, int ld_value, const float *reference,
                           int ld_reference, int rows, int columns);

/* The same against a reference in double that was not rounded to float. */
compare_result compare_mat_double(const float *value, int ld_value, const double *reference,
                                  int ld_reference, int rows, int columns);

#ifdef __cplusplus
}
#endif
#endif
