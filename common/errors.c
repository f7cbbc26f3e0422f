/* errors.c - how far a product is from its reference, and whether that is within what the step
 * keeps. */
#include "errors.h"
#include "matgen.h"
#include "reference.h"
#include "step.h"
#include <math.h>
#include <stdlib.h>

/* The rows that are compared: all, or SAMPLED_ROWS different ones in ascending order, by selection
 * sampling. */
static int choose_rows(int *rows, int n, uint64_t seed) {
    if (n <= LARGEST_WHOLE_REFERENCE) {
        for (int i = 0; i < n; i++)
            rows[i] = i;
        return n;
    }
    int chosen = 0;
    for (int i = 0; chosen < SAMPLED_ROWS; i++) {
        float draw;
        matgen(&draw, 1, 1, 1, seed * 2654435761u + (uint64_t)i + 12345);
        if ((double)draw * (n - i) < SAMPLED_ROWS - chosen)
            rows[chosen++] = i;
    }
    return chosen;
}

errors measure_rows(const product *p, row_error measure_row) {
    const int n = p->n;
    errors e = {.rows = 0};
    int *rows = allocate((size_t)(n <= LARGEST_WHOLE_REFERENCE ? n : SAMPLED_ROWS), sizeof *rows);
    double *exact = allocate((size_t)n, sizeof *exact);
    float *rounded = allocate((size_t)n, sizeof *rounded);
    e.rows = choose_rows(rows, n, p->seed);
    for (int i = 0; i < e.rows; i++) {
        const size_t start = (size_t)rows[i] * (size_t)n;
        const compare_result row = measure_row(p->a + start, p->b, p->c + start, n, exact, rounded);
        e.result.max_error = fmax(e.result.max_error, row.max_error);
        e.result.mean_error += row.mean_error / e.rows;
    }
    free(rounded);
    free(exact);
    free(rows);
    return e;
}

static compare_result compare_to_rounded(const float *a_row, const float *b, const float *c_row,
                                         int n, double *exact, float *rounded) {
    sum_row_double(a_row, b, n, exact, n);
    for (int j = 0; j < n; j++)
        rounded[j] = (float)exact[j];
    return compare_mat(c_row, n, rounded, n, 1, n);
}

errors measure_errors(const product *p) { return measure_rows(p, compare_to_rounded); }

void require_tolerance(const errors *e, int n, double slack) {
    const double max = e->result.max_error, mean = e->result.mean_error;
    const double limit = n <= this_step.tolerance_to ? this_step.tolerance + slack : INFINITY;
    if (!isfinite(max) || !(max <= limit))
        end_program(1, "the error bound is broken: max error %g, and the limit is %g", max, limit);
    if (this_step.mean > 0 && n <= this_step.mean_to && !(mean <= this_step.mean))
        end_program(1, "the error bound is broken: mean error %g, and the limit is %g", mean,
                    this_step.mean);
}
