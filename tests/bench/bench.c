/* bench.c - every step and cuBLAS in one run, through the contract of a step; a line of CSV for
 * each program and size.
 */
#define _POSIX_C_SOURCE 200809L
#include "ceilings.h"
#include "judge.h"
#include "matgen.h"
#include "matmult.h"
#include "step.h"
#include "timing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef matmult_result (*product)(const float *, int, const float *, int, float *, int, int);
#define PROGRAM(name, facts)                                                                       \
    matmult_result matmultCUDA_##name(const float *, int, const float *, int, float *, int, int);
#include "programs.h"
#undef PROGRAM
static const struct {
    const char *identifier;
    const step_facts *facts; /* NULL: cuBLAS */
    product multiply;
} ALL[] = {
#define PROGRAM(name, facts) {#name, facts, matmultCUDA_##name},
#include "programs.h"
};
enum { COUNT = sizeof ALL / sizeof *ALL, REPEATS = 10 };

static const char *name_program(int i) {
    return ALL[i].facts ? ALL[i].facts->name : ALL[i].identifier;
}

typedef struct result {
    double kernel[REPEATS], total[REPEATS], max_error, mean_error;
    const char *note;
} result;

static void *allocate(size_t bytes) {
    void *p = malloc(bytes);
    if (!p) {
        fprintf(stderr, "bench: no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return p;
}

/* The exit status of a 1 x 1 product in a child: 0 when the program can run here. The parent has
 * not used CUDA yet. */
static int probe(product multiply) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        float one = 1, c;
        multiply(&one, 1, &one, 1, &c, 1, 1);
        _exit(c == 1 ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* One product into c, which held NaN. */
static matmult_result call(product multiply, const float *a, const float *b, float *c, int n) {
    memset(c, 0xff, (size_t)n * (size_t)n * sizeof *c);
    return multiply(a, n, b, n, c, n, n);
}

static void measure(const int *runs, int n, ceilings limit) {
    size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    float *a = allocate(bytes), *b = allocate(bytes), *c = allocate(bytes);
    static result results[COUNT];
    memset(results, 0, sizeof results);
    matgen(a, n, n, n, 0);
    matgen(b, n, n, n, 1);
    prepare_judge(a, b, n);
    for (int i = 0; i < COUNT; i++) { /* warm-up; its result is the one that is judged */
        result *r = &results[i];
        if (!runs[i])
            continue;
        r->note = call(ALL[i].multiply, a, b, c, n).note;
        judge_error(c, &r->max_error, &r->mean_error);
    }
    for (int round = 0; round < REPEATS;
         round++) /* by turns, so that a change of clocks meets all alike */
        for (int i = 0; i < COUNT; i++) {
            if (!runs[i])
                continue;
            matmult_result measured = call(ALL[i].multiply, a, b, c, n);
            results[i].kernel[round] = measured.kernel;
            results[i].total[round] = measured.total;
        }
    double sgemm = NAN;
    for (int i = 0; i < COUNT; i++)
        if (runs[i] && strcmp(name_program(i), "cublas_sgemm") == 0)
            sgemm = median(results[i].kernel, REPEATS);
    for (int i = 0; i < COUNT; i++) {
        result *r = &results[i];
        if (!runs[i])
            continue;
        double kernel = median(r->kernel, REPEATS), total = median(r->total, REPEATS),
               tflops = 2e-12 * n * (double)n * n / kernel;
        printf("%s,%d,%d,%.7f,%.7f,%.7f,%.3f,%.3f,%.1f,%.1f,%.1f,%.6f,%.4g,%.4g,%s\n",
               name_program(i), n, REPEATS, kernel, r->kernel[0], r->kernel[REPEATS - 1], tflops,
               sgemm / kernel, 100 * tflops / limit.fma, 100 * tflops / limit.fp16,
               100 * 3e-12 * (double)bytes / kernel / limit.copy, total, r->max_error,
               r->mean_error, r->note ? r->note : "");
    }
    fflush(stdout);
    free(a), free(b), free(c);
}

/* bench SIZE... [NAME...]: the sizes, and the programs when it should not be all (cublas_sgemm is
 * always one). */
static int named(const char *name, int argc, char **argv) {
    int names = 0;
    for (int i = 1; i < argc; i++)
        if (strchr(argv[i], '_')) {
            if (strcmp(name, argv[i]) == 0)
                return 1;
            names++;
        }
    return names == 0 || strcmp(name, "cublas_sgemm") == 0;
}

int main(int argc, char **argv) {
    int runs[COUNT];
    for (int i = 0; i < COUNT; i++) {
        runs[i] = 0;
        if (!named(name_program(i), argc, argv))
            continue;
        int status = probe(ALL[i].multiply);
        runs[i] = status == 0;
        if (status)
            printf("# %s is not run: %s\n", name_program(i),
                   status == 77 ? "this device cannot" : "it failed");
    }
    ceilings limit = measure_ceilings();
    printf("# ceilings: float FMA %.1f TFLOP/s, fp16 tensor %.0f TFLOP/s, int8 tensor %.0f TOP/s, "
           "copy %.2f TB/s (read + written)\n",
           limit.fma, limit.fp16, limit.int8, limit.copy);
    printf("step,n,repeats,kernel_s,kernel_min_s,kernel_max_s,tflops,to_sgemm,percent_fma,percent_"
           "fp16,percent_copy,total_s,max_error,mean_error,note\n");
    for (int i = 1; i < argc; i++)
        if (!strchr(argv[i], '_'))
            measure(runs, atoi(argv[i]), limit);
    return 0;
}
