/* outliers.c - how long the kernels of a step take when a few operands are much larger than the
 * others: a line of CSV for each case, medians.
 *
 *     outliers NAME N */
#include "matgen.h"
#include "matmult.h"
#include "normal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 5, APART = 16 };

enum { NONE, ELEMENT, ROW, COLUMN, INDEX, CASES };
static const char *const NAMES[] = {"none", "element of A", "row of A", "column of B", "index k"};

/* Multiplies what the case enlarges: an element, every 16th element of a row or column, so that the
 * others of its vector are small beside it, or all of a column of A and a row of B. */
static void enlarge(float *a, float *b, int n, int which, float factor) {
    const size_t size = (size_t)n, k = size / 3;
    if (which == ELEMENT)
        a[k * size + k] *= factor;
    for (size_t i = 0; i < size; i += which == INDEX ? 1 : APART) {
        if (which == ROW)
            a[k * size + i] *= factor;
        if (which == COLUMN)
            b[i * size + k] *= factor;
        if (which == INDEX) {
            a[i * size + k] *= factor;
            b[k * size + i] *= factor;
        }
    }
}

static int compare(const void *x, const void *y) {
    const double difference = *(const double *)x - *(const double *)y;
    return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv) {
    const int n = argc == 3 ? atoi(argv[2]) : 0;
    if (n < 1) {
        fprintf(stderr, "usage: outliers NAME N\n");
        return 2;
    }
    const size_t size = (size_t)n, count = size * size;
    const size_t bytes = count * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes), *plain_a = malloc(bytes),
          *plain_b = malloc(bytes);
    if (!a || !b || !c || !plain_a || !plain_b) {
        fprintf(stderr, "outliers: no memory for five matrices of %zu bytes\n", bytes);
        return 1;
    }
    for (int normal = 0; normal < 2; normal++) {
        matgen(plain_a, n, n, n, 1);
        matgen(plain_b, n, n, n, 2);
        if (normal) {
            make_normal(plain_a, count);
            make_normal(plain_b, count);
        }
        for (int which = NONE; which < CASES; which++)
            for (float factor = which == NONE ? 1e6f : 1e3f; factor <= 1e6f; factor *= 1e3f) {
                memcpy(a, plain_a, bytes);
                memcpy(b, plain_b, bytes);
                enlarge(a, b, n, which, factor);
                double seconds[CALLS];
                matmult_result result = matmultCUDA(a, n, b, n, c, n, n); /* to warm up */
                for (int i = 0; i < CALLS; i++) {
                    result = matmultCUDA(a, n, b, n, c, n, n);
                    seconds[i] = result.kernel;
                }
                qsort(seconds, CALLS, sizeof *seconds, compare);
                printf("%s,%d,%s,%s,%.0f,%.7f,\"%s\"\n", argv[1], n, normal ? "normal" : "uniform",
                       NAMES[which], which == NONE ? 1 : factor, seconds[CALLS / 2],
                       result.note ? result.note : "");
                fflush(stdout);
            }
    }
    free(a);
    free(b);
    free(c);
    free(plain_a);
    free(plain_b);
    return 0;
}
