/* blocked_sum.c - the model of a step that declares the length of its partial sums. */
#include "blocked_sum.h"
#include <math.h>
#include <stddef.h>

static float sum_blocked(const float *a, const float *b, size_t ldb, size_t n, size_t first,
                         size_t length) {
    float sum = 0, partial = 0;
    double reference = 0;
    for (size_t k = 0, end = first; k < n; end += length) {
        for (; k < end && k < n; k++) {
            partial = fmaf(a[k], b[k * ldb], partial);
            reference += (double)a[k] * (double)b[k * ldb];
        }
        const float next = sum + partial;
        partial -= next - sum; /* the carry: what the addition lost */
        sum = next;
    }
    return fabsf(sum) < 3e38f ? sum : (float)reference;
}

void sum_row_blocked(const float *a_row, const float *b, int ldb, float *sums, int n, int first,
                     int length) {
    for (int j = 0; j < n; j++)
        sums[j] = sum_blocked(a_row, b + j, (size_t)ldb, (size_t)n, (size_t)first, (size_t)length);
}
