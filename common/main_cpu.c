/* main_cpu.c - `run` of a step without CUDA: times matmult, and holds it against a compensated
 * double sum. */
#include "matmult.h"
#include "reference.h"
#include "report.h"
#include "timing.h"
#include <stdio.h>

static compare_result compare_to_exact(const float *a_row, const float *b, const float *c_row,
                                       int n, double *exact, float *rounded) {
    (void)rounded;
    sum_row_compensated(a_row, b, n, exact, n);
    return compare_mat_double(c_row, n, exact, n, 1, n);
}

/* The same for the row as a float accumulator has it, in the place of C's. */
static compare_result compare_float_sum(const float *a_row, const float *b, const float *c_row,
                                        int n, double *exact, float *rounded) {
    (void)c_row;
    sum_row_float(a_row, b, n, rounded, n);
    return compare_to_exact(a_row, b, rounded, n, exact, rounded);
}

int main(int argc, char **argv) {
    const options o = parse_options(argc, argv);
    require_memory(o.n, NULL);
    product p = make_product(&o);
    for (int r = 0; r < o.repeats; r++) {
        poison_result(&p);
        const double start = wall_seconds();
        matmult(p.a, p.n, p.b, p.n, p.c, p.n, p.n);
        p.total[r] = wall_seconds() - start;
    }
    const errors e = measure_rows(&p, compare_to_exact);
    if (o.csv) {
        print_csv(&p, &e, NULL);
    } else {
        const errors float_sum = measure_rows(&p, compare_float_sum);
        print_errors(&e);
        print_total(&p);
        printf("Float accumulator: max error: %g average error: %g\n", float_sum.result.max_error,
               float_sum.result.mean_error);
        printf("Errors against a compensated double sum, not rounded to float\n");
        print_remarks(&p, &e);
        printf("Backend: none, one CPU thread\n");
    }
    free_product(&p);
    require_output();
    require_tolerance(&e, o.n, o.n * 0x1p-53, 0); /* matmult's own sum is in double */
    return 0;
}
