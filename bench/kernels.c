/* kernels.c - all programs by turns in one process, so that a change of clocks meets all alike. */
#include "kernels.h"
#include "judge.h"
#include "matgen.h"
#include "normal.h"
#include "program.h"
#include "queue.h"
#include "timing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 10, FEWEST_REPEATS = 3 };
static const double ENOUGH_SECONDS = 1; /* in calls: then fewer repeats do */
typedef struct result {
    double kernel[MOST_REPEATS], seconds, max_error, mean_error; /* seconds: of all calls */
    int repeats;
    char note[128]; /* a copy: steps share the memory of theirs */
} result;

void print_kernels_header(void) {
    printf("step,n,repeats,kernel_s,kernel_min_s,kernel_max_s,tflops,to_sgemm,percent_fma,percent_"
           "fp16,percent_copy,max_error,mean_error,note\n");
}

static double find_sgemm(result *results) {
    for (int i = 0; i < program_count; i++)
        if (programs[i].runs && strcmp(programs[i].name, "cublas_sgemm") == 0)
            return median(results[i].kernel, results[i].repeats);
    return NAN;
}

static int takes_part(const program *p) { return p->runs && p->tells_kernel; }

static void measure_once(const program *p, const float *a, const float *b, float *c, int n,
                         result *r) {
    if (r->repeats >= FEWEST_REPEATS && r->seconds >= ENOUGH_SECONDS)
        return;
    const matmult_result measured = call_program(p, a, b, c, n);
    r->kernel[r->repeats++] = measured.kernel;
    r->seconds += measured.total;
}

void measure_kernels(int n, operands kind, ceilings limit) {
    const size_t count = (size_t)n * (size_t)n, bytes = count * sizeof(float);
    float *a = allocate(bytes), *b = allocate(bytes), *c = allocate(bytes);
    result *results = allocate((size_t)program_count * sizeof *results);
    matgen(a, n, n, n, 0);
    matgen(b, n, n, n, 1);
    if (kind == NORMAL)
        make_normal(a, count), make_normal(b, count);
    prepare_judge(a, b, n);
    for (int i = 0; i < program_count; i++) /* warm-up; its result is the one that is judged */
        if (takes_part(&programs[i])) {
            result *r = &results[i];
            const matmult_result warm = call_program(&programs[i], a, b, c, n);
            judge_error(c, &r->max_error, &r->mean_error);
            snprintf(r->note, sizeof r->note, "%s", warm.note ? warm.note : "");
            r->repeats = warm.total >= ENOUGH_SECONDS; /* a run like the others */
            r->kernel[0] = warm.kernel;
            r->seconds = 0;
        }
    queue_launches(1);
    for (int round = 0; round < MOST_REPEATS; round++)
        for (int i = 0; i < program_count; i++)
            if (takes_part(&programs[i]))
                measure_once(&programs[i], a, b, c, n, &results[i]);
    queue_launches(0);
    const double sgemm = find_sgemm(results);
    for (int i = 0; i < program_count; i++) {
        result *r = &results[i];
        if (!takes_part(&programs[i]))
            continue;
        const double kernel = median(r->kernel, r->repeats),
                     tflops = 2e-12 * n * (double)n * n / kernel;
        printf("%s,%d,%d,%.7f,%.7f,%.7f,%.3f,%.3f,%.1f,%.1f,%.1f,%.4g,%.4g,%s\n", programs[i].name,
               n, r->repeats, kernel, r->kernel[0], r->kernel[r->repeats - 1], tflops,
               sgemm / kernel, 100 * tflops / limit.fma, 100 * tflops / limit.fp16,
               100 * 3e-12 * (double)bytes / kernel / limit.copy, r->max_error, r->mean_error,
               r->note);
    }
    fflush(stdout);
    free(a), free(b), free(c), free(results);
}
