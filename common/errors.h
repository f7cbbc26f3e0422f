/* errors.h - how far a product is from its reference, and whether that is within what the step
 * keeps. */
#ifndef ERRORS_H
#define ERRORS_H
#include "compare_mat.h"
#include "product.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Above this n the whole reference would take minutes: so many rows, drawn at random, are compared
 * instead. */
enum { LARGEST_WHOLE_REFERENCE = 2048, SAMPLED_ROWS = 64 };

typedef struct errors {
    compare_result result; /* of all rows that were compared; without the place */
    int rows;              /* that were compared */
    int is_wrong;          /* an element is beyond the limit; the first of them: */
    int row, column;
    double got, right;
} errors;

/* The error of one row of C, n elements, that belongs to the row a_row of A. scratch: n doubles and
 * n floats. */
typedef compare_result (*row_error)(const float *a_row, const float *b, const float *c_row, int n,
                                    double *exact, float *rounded);

/* Against whatever reference measure_row has, row by row. */
errors measure_rows(const product *p, row_error measure_row);

/* Against 01's product, or rows of it, rounded to float, as in the article: the same sums in
 * another order of the loops, which reads B along its rows. */
errors measure_errors(const product *p);

/* Ends the program with a sentence and status 1 where the errors are larger than what the step
 * keeps for this n. slack: the largest error of the reference itself. has_inspect: the sentence
 * leads to the step's inspect. */
void require_tolerance(const errors *e, int n, double slack, int has_inspect);

#ifdef __cplusplus
}
#endif
#endif
