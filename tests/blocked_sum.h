/* blocked_sum.h - the model of a step that declares the length of its partial sums. */
#ifndef BLOCKED_SUM_H
#define BLOCKED_SUM_H

/* sums[j] = the product of a_row and column j of B, n elements, bit for bit as a step must compute
 * it: partial sums in ascending k, one fmaf a product, added with compensation. The first has
 * `first` products, the others `length`. A sum that overflowed or met an infinity or a NaN is that
 * of the reference. */
void sum_row_blocked(const float *a_row, const float *b, int ldb, float *sums, int n, int first,
                     int length);

#endif
