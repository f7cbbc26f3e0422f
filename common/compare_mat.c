/* compare_mat.c - the relative error of each element, where a NaN can never pass for a small error.
 */
#include "compare_mat.h"
#include <math.h>
#include <stddef.h>

static double relative_error(double value, double reference) {
    if (!isfinite(reference))
        return isfinite(value) ? INFINITY : 0.0;
    if (!isfinite(value))
        return INFINITY;
    if (reference == 0.0)
        return value == 0.0 ? 0.0 : INFINITY;
    return fabs((value - reference) / reference);
}

static void add_error(compare_result *result, double error, int row, int column) {
    if (error > result->max_error) {
        result->max_error = error;
        result->row = row;
        result->column = column;
    }
    result->mean_error += error; /* the sum until finish() divides it */
}

static compare_result finish(compare_result result, int rows, int columns) {
    if (rows > 0 && columns > 0)
        result.mean_error /= (double)rows * (double)columns;
    return result;
}

compare_result compare_mat(const float *a, int lda, const float *b, int ldb, int rows,
                           int columns) {
    compare_result result = {0.0, 0.0, 0, 0};
    for (int i = 0; i < rows; i++) {
        const float *a_row = a + (size_t)i * (size_t)lda;
        const float *b_row = b + (size_t)i * (size_t)ldb;
        for (int j = 0; j < columns; j++)
            add_error(&result, relative_error(a_row[j], b_row[j]), i, j);
    }
    return finish(result, rows, columns);
}

compare_result compare_mat_double(const float *a, int lda, const double *b, int ldb, int rows,
                                  int columns) {
    compare_result result = {0.0, 0.0, 0, 0};
    for (int i = 0; i < rows; i++) {
        const float *a_row = a + (size_t)i * (size_t)lda;
        const double *b_row = b + (size_t)i * (size_t)ldb;
        for (int j = 0; j < columns; j++)
            add_error(&result, relative_error(a_row[j], b_row[j]), i, j);
    }
    return finish(result, rows, columns);
}
