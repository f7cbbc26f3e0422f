/* kernels.c - a table of the kernels' speed and error, over n. */
#include "kernels.h"
#include "measure.h"
#include "program.h"
#include "timing.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What the kernels of a program may take at a size, expected; cuBLAS SGEMM's, which all need, may
 * take all. The first sizes are those that matter most. */
enum { FIRST_SIZES = 5, MOST_SIZES = 64 };
static const double SECONDS_AT_FIRST_SIZES = 9, SECONDS = 0.5;

typedef struct history { /* of a program */
    double seconds[MOST_SIZES];
    int n[MOST_SIZES], count;
} history;

/* By the cube of n, from the nearest n that was measured; 0 when there is none. */
static double expect_seconds(const history *h, int n) {
    double nearest = INFINITY, seconds = 0;
    for (int i = 0; i < h->count; i++) {
        const double apart = fabs(log((double)n / h->n[i]));
        if (apart < nearest) {
            nearest = apart;
            seconds = h->seconds[i] * pow((double)n / h->n[i], 3);
        }
    }
    return seconds;
}

static void remember(history *h, int n, const measurement *r) {
    if (h->count == MOST_SIZES)
        return;
    h->n[h->count] = n;
    h->seconds[h->count++] = r->middle;
}

static void print_line(const program *p, int n, const measurement *r, double sgemm,
                       ceilings limit) {
    const double tflops = 2e-12 * n * (double)n * n / r->middle;
    printf("%s,%d,%d,%.8f,%.8f,%.8f,%.3f,", p->name, n, r->repeats, r->middle, r->kernel[0],
           r->kernel[r->repeats - 1], tflops);
    if (!isnan(sgemm)) /* else it was not measured */
        printf("%.3f", sgemm / r->middle);
    printf(",");
    if (!isnan(limit.fma))
        printf("%.1f", 100 * tflops / limit.fma);
    printf(",%.4g,%.4g,", r->max_error, r->mean_error);
    if (r->hash)
        printf("%016" PRIx64, r->hash);
    printf(",\"%s\"\n", r->note);
}

static int fits(const history *h, int n, int place) {
    const double seconds = expect_seconds(h, n);
    return fewest_calls(seconds) * seconds <=
           (place < FIRST_SIZES ? SECONDS_AT_FIRST_SIZES : SECONDS);
}

static void measure_size(operand_kind kind, int n, const int *chosen, ceilings limit,
                         history *histories) {
    const double start = wall_seconds();
    measurement *results = get_memory((size_t)program_count * sizeof *results);
    matrices m = make_matrices(n, 1);
    int measured = 0;
    fill_matrices(&m, kind, 0);
    measure_programs(&m, chosen, results);
    for (int i = 0; i < program_count; i++)
        if (results[i].repeats) {
            remember(&histories[i], n, &results[i]);
            print_line(&programs[i], n, &results[i], sgemm_seconds(results), limit);
            measured++;
        }
    fflush(stdout);
    free_matrices(&m);
    free(results);
    fprintf(stderr, "%s, n = %d: %d programs, %.1f s\n", operand_names[kind], n, measured,
            wall_seconds() - start);
}

void measure_kernels(operand_kind kind, int count, const int *sizes, const int *chosen,
                     ceilings limit) {
    static history histories[MOST_PROGRAMS];
    const int sgemm = find_program("cublas_sgemm");
    int done = 0;
    printf(
        "step,n,repeats,kernel_s,kernel_min_s,kernel_max_s,tflops,to_sgemm,percent_fma,max_error,"
        "mean_error,hash,note\n");
    for (; done < count && !is_time_over(); done++) {
        int now[MOST_PROGRAMS] = {0};
        for (int i = 0; i < program_count; i++)
            now[i] = chosen[i] && (i == sgemm || fits(&histories[i], sizes[done], done));
        measure_size(kind, sizes[done], now, limit, histories);
    }
    for (; done < count; done++)
        fprintf(stderr, "%s, n = %d: LEFT OUT, the time is over\n", operand_names[kind],
                sizes[done]);
}
