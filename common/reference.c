/* reference.c - single rows of references. k is the outer loop: B is read along its rows. */
#include "reference.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

void sum_row_double(const float *a_row, const float *b, int ldb, double *c_row, int n) {
    for (int j = 0; j < n; j++)
        c_row[j] = 0.0;
    for (int k = 0; k < n; k++) {
        const double a = a_row[k];
        const float *b_row = b + (size_t)k * (size_t)ldb;
        for (int j = 0; j < n; j++)
            c_row[j] += a * (double)b_row[j];
    }
}

void sum_row_float(const float *a_row, const float *b, int ldb, float *c_row, int n) {
    for (int j = 0; j < n; j++)
        c_row[j] = 0.0f;
    for (int k = 0; k < n; k++) {
        const float a = a_row[k];
        const float *b_row = b + (size_t)k * (size_t)ldb;
        for (int j = 0; j < n; j++)
            c_row[j] += a * b_row[j];
    }
}

void sum_row_compensated(const float *a_row, const float *b, int ldb, double *c_row, int n) {
    double *compensation = calloc((size_t)n, sizeof(double));
    if (n > 0 && compensation == NULL) {
        fprintf(stderr, "sum_row_compensated: no memory for %d doubles\n", n);
        exit(1);
    }
    for (int j = 0; j < n; j++)
        c_row[j] = 0.0;
    for (int k = 0; k < n; k++) {
        const double a = a_row[k];
        const float *b_row = b + (size_t)k * (size_t)ldb;
        for (int j = 0; j < n; j++) {
            /* The product of two floats is exact in double; only the sum rounds. */
            double product = a * (double)b_row[j];
            double sum = c_row[j];
            double t = sum + product;
            /* Neumaier: what the sum lost is exact when the larger of the two comes first. */
            compensation[j] +=
                fabs(sum) >= fabs(product) ? (sum - t) + product : (product - t) + sum;
            c_row[j] = t;
        }
    }
    for (int j = 0; j < n; j++)
        /* Beyond the range of double the compensation is a NaN: keep the infinity. */
        c_row[j] = isfinite(c_row[j]) ? c_row[j] + compensation[j] : c_row[j];
    free(compensation);
}

void sum_row_magnitude(const float *a_row, const float *b, int ldb, double *m_row, int n) {
    for (int j = 0; j < n; j++)
        m_row[j] = 0.0;
    for (int k = 0; k < n; k++) {
        const double a = fabs((double)a_row[k]);
        const float *b_row = b + (size_t)k * (size_t)ldb;
        for (int j = 0; j < n; j++)
            m_row[j] += a * fabs((double)b_row[j]);
    }
}
