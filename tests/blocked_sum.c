/* blocked_sum.c - the model of a step that declares the length of its partial sums. k is the outer
 * loop: B is read along its rows. */
#include "blocked_sum.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* One element of a row: its sum, the partial sum, and the double sum for what is not finite. */
typedef struct row_sums {
    float *sum, *partial;
    double *reference;
} row_sums;

static void add_products(float a, const float *b_row, row_sums s, int n) {
    for (int j = 0; j < n; j++) {
        s.partial[j] = fmaf(a, b_row[j], s.partial[j]);
        s.reference[j] += (double)a * (double)b_row[j];
    }
}

/* The carry, what the addition lost, begins the next partial sum. */
static void add_partial_sums(row_sums s, int n) {
    for (int j = 0; j < n; j++) {
        const float next = s.sum[j] + s.partial[j];
        s.partial[j] -= next - s.sum[j];
        s.sum[j] = next;
    }
}

void sum_row_blocked(const float *a_row, const float *b, int ldb, float *sums, int n, int first,
                     int length) {
    const size_t count = (size_t)n;
    row_sums s = {sums, calloc(count, sizeof *s.partial), calloc(count, sizeof *s.reference)};
    if (!s.partial || !s.reference) {
        fprintf(stderr, "no memory for the test\n");
        exit(1);
    }
    for (int j = 0; j < n; j++)
        sums[j] = 0;
    for (int k = 0, end = first; k < n; end += length) {
        for (; k < end && k < n; k++)
            add_products(a_row[k], b + (size_t)k * (size_t)ldb, s, n);
        add_partial_sums(s, n);
    }
    for (int j = 0; j < n; j++)
        if (!(fabsf(sums[j]) < 3e38f))
            sums[j] = (float)s.reference[j];
    free(s.partial), free(s.reference);
}
