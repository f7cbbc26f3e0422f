/* kernels.c - all programs by turns in one process, so that a change of clocks meets all alike. */
#include "kernels.h"
#include "judge.h"
#include "matgen.h"
#include "program.h"
#include "queue.h"
#include "timing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 10, TOTALS = 3 };
typedef struct result {
    double kernel[REPEATS], total[TOTALS], max_error, mean_error;
    const char *note;
} result;

/* Box and Muller: two uniform numbers become two standard normal ones. */
static void make_normal(float *x, size_t count) {
    const double pi = 3.14159265358979323846;
    for (size_t i = 0; i + 1 < count; i += 2) {
        double radius = sqrt(-2 * log1p(-(double)x[i])), angle = 2 * pi * (double)x[i + 1];
        x[i] = (float)(radius * cos(angle));
        x[i + 1] = (float)(radius * sin(angle));
    }
    if (count % 2)
        x[count - 1] -= 0.5f;
}

void print_kernels_header(void) {
    printf("step,n,repeats,kernel_s,kernel_min_s,kernel_max_s,tflops,to_sgemm,percent_fma,percent_"
           "fp16,percent_copy,total_s,max_error,mean_error,note\n");
}

static double find_sgemm(const result *results) {
    for (int i = 0; i < program_count; i++)
        if (programs[i].runs && strcmp(programs[i].name, "cublas_sgemm") == 0) {
            double kernel[REPEATS];
            memcpy(kernel, results[i].kernel, sizeof kernel);
            return median(kernel, REPEATS);
        }
    return NAN;
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
        if (programs[i].runs) {
            results[i].note = call_program(&programs[i], a, b, c, n).note;
            judge_error(c, &results[i].max_error, &results[i].mean_error);
        }
    for (int round = 0; round < REPEATS; round++)
        for (int i = 0; i < program_count; i++)
            if (programs[i].runs) {
                if (round < TOTALS)
                    results[i].total[round] = call_program(&programs[i], a, b, c, n).total;
                queue_launches(1);
                results[i].kernel[round] = call_program(&programs[i], a, b, c, n).kernel;
                queue_launches(0);
            }
    const double sgemm = find_sgemm(results);
    for (int i = 0; i < program_count; i++) {
        result *r = &results[i];
        if (!programs[i].runs || !(r->kernel[0] > 0)) /* cublasXt does not tell its kernels' time */
            continue;
        double kernel = median(r->kernel, REPEATS), total = median(r->total, TOTALS),
               tflops = 2e-12 * n * (double)n * n / kernel;
        printf("%s,%d,%d,%.7f,%.7f,%.7f,%.3f,%.3f,%.1f,%.1f,%.1f,%.6f,%.4g,%.4g,%s\n",
               programs[i].name, n, REPEATS, kernel, r->kernel[0], r->kernel[REPEATS - 1], tflops,
               sgemm / kernel, 100 * tflops / limit.fma, 100 * tflops / limit.fp16,
               100 * 3e-12 * (double)bytes / kernel / limit.copy, total, r->max_error,
               r->mean_error, r->note ? r->note : "");
    }
    fflush(stdout);
    free(a), free(b), free(c), free(results);
}
