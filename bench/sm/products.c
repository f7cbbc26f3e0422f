/* products.c - the steps, and variants of step 02, called as the benchmark calls them. */
#include "products.h"
#include "busy.h"
#include "matgen.h"
#include "matmult.h"
#include "queue.h"
#include "timing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 9 };

typedef matmult_result (*product)(const float *, int, const float *, int, float *, int, int);

#define PROGRAM(name)                                                                              \
    matmult_result matmultCUDA_##name(const float *, int, const float *, int, float *, int, int);
#define VARIANT(name, mapping, threads) PROGRAM(name)
#include "sm_programs.h"
#undef PROGRAM
#undef VARIANT

static const struct {
    const char *name;
    product multiply;
} steps[] = {
#define PROGRAM(name) {#name, matmultCUDA_##name},
#define VARIANT(name, mapping, threads)
#include "sm_programs.h"
#undef PROGRAM
#undef VARIANT
};

static const struct {
    const char *mapping;
    int threads;
    product multiply;
} variants[] = {
#define PROGRAM(name)
#define VARIANT(name, mapping, threads) {mapping, threads, matmultCUDA_##name},
#include "sm_programs.h"
#undef PROGRAM
#undef VARIANT
};

enum { STEPS = sizeof steps / sizeof *steps, VARIANTS = sizeof variants / sizeof *variants };

/* n x n floats, drawn from the seed; the end with a sentence where there is no memory. */
static float *draw(int n, unsigned seed) {
    float *matrix = malloc(sizeof *matrix * (size_t)n * (size_t)n);
    if (!matrix) {
        fprintf(stderr, "no memory for a matrix of %d x %d\n", n, n);
        exit(1);
    }
    matgen(matrix, n, n, n, seed);
    return matrix;
}

void table_launches(void) {
    printf("mapping,threads,n,kernel_ms,kernel_min_ms,kernel_max_ms\n");
    queue_launches(1);
    const int sizes[] = {1000, 8192};
    for (int s = 0; s < 2; s++) {
        int n = sizes[s], runs = n > 2000 ? 3 : RUNS;
        float *a = draw(n, 1), *b = draw(n, 2), *c = draw(n, 3);
        keep_busy(0.3);
        for (int v = 0; v < VARIANTS; v++) {
            double ms[RUNS];
            for (int i = 0; i < runs; i++)
                ms[i] = 1e3 * variants[v].multiply(a, n, b, n, c, n, n).kernel;
            double middle = median(ms, runs);
            printf("%s,%d,%d,%.4f,%.4f,%.4f\n", variants[v].mapping, variants[v].threads, n, middle,
                   ms[0], ms[runs - 1]);
        }
        free(a), free(b), free(c);
    }
}

static int is_named(const char *name, int count, char **names) {
    for (int i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return 1;
    return count == 0;
}

void call_steps(int n, int count, char **names) {
    for (int i = 0; i < count; i++) {
        int s = 0;
        while (s < STEPS && strcmp(steps[s].name, names[i]))
            s++;
        if (s == STEPS) {
            fprintf(stderr, "%s: no step of this program\n", names[i]);
            exit(2);
        }
    }
    float *a = draw(n, 1), *b = draw(n, 2), *c = draw(n, 3);
    for (int s = 0; s < STEPS; s++)
        if (is_named(steps[s].name, count, names)) {
            mark((unsigned)atoi(steps[s].name));
            steps[s].multiply(a, n, b, n, c, n, n);
        }
    free(a), free(b), free(c);
}
