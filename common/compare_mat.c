/* compare_mat.c - the relative error of each element; a NaN never passes for a small error. */
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

compare_result compare_mat(const float *value, int ld_value, const float *reference,
                           int ld_reference, int rows, int columns) {
    compare_result result = {0.0, 0.0, 0, 0};
    for (int i = 0; i < rows; i++) {
        const float *value_row = value + (size_t)i * (size_t)ld_value;
        const float *reference_row = reference + (size_t)i * (size_t)ld_reference;
        for (int j = 0; j < columns; j++)
            add_error(&result, relative_error(value_row[j], reference_row[j]), i, j);
    }
    return finish(result, rows, columns);
}

compare_result compare_mat_double(const float *value, int ld_value, const double *reference,
                                  int ld_reference, int rows, int columns) {
    compare_result result = {0.0, 0.0, 0, 0};
    for (int i = 0; i < rows; i++) {
        const float *value_row = value + (size_t)i * (size_t)ld_value;
        const double *reference_row = reference + (size_t)i * (size_t)ld_reference;
        for (int j = 0; j < columns; j++)
            add_error(&result, relative_error(value_row[j], reference_row[j]), i, j);
    }
    return finish(result, rows, columns);
}
