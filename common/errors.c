/* errors.c - how far a product is from its reference, and whether that is within what the step
 * keeps. */
#include "errors.h"
#include "matgen.h"
#include "reference.h"
#include "step.h"
#include <math.h>
#include <stdio.h>
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

/* The largest relative error that run accepts for this n. */
static double largest_error(int n) {
    return n <= this_step.tolerance_to ? this_step.tolerance : INFINITY;
}

/* Keeps the first element of a row whose error is beyond the limit; the worst, where none is
 * against the reference that was not rounded. */
static void keep_first(errors *e, int row, const compare_result *worst, const float *c_row,
                       const double *exact, int n) {
    int j = 0;
    while (j < n &&
           compare_mat_double(c_row + j, n, exact + j, n, 1, 1).max_error <= largest_error(n))
        j++;
    if (j == n)
        j = worst->column;
    e->is_wrong = 1;
    e->row = row, e->column = j;
    e->got = isnan(c_row[j]) ? NAN : (double)c_row[j];
    e->right = exact[j];
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
        if (!e.is_wrong && !(isfinite(row.max_error) && row.max_error <= largest_error(n)))
            keep_first(&e, rows[i], &row, p->c + start, exact, n);
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

void require_tolerance(const errors *e, int n, double slack, int has_inspect) {
    const double max = e->result.max_error, mean = e->result.mean_error;
    const double limit = largest_error(n) + slack;
    char advice[200] = "";
    if (has_inspect)
        snprintf(advice, sizeof advice, "; ./%s/inspect -n %d looks for faults", this_step.name, n);
    if (!isfinite(max) || !(max <= limit))
        end_program(1,
                    "the error bound is broken: max error %g, and the limit is %g; the first wrong "
                    "element is C[%d][%d]: %.9g, and %.9g is right%s",
                    max, limit, e->row, e->column, e->got, e->right, advice);
    if (this_step.mean > 0 && n <= this_step.mean_to && !(mean <= this_step.mean))
        end_program(1, "the error bound is broken: mean error %g, and the limit is %g", mean,
                    this_step.mean);
}
