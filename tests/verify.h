/* verify.h - holds a step against the reference: many sizes, leading dimensions and kinds of input.
 */
#ifndef VERIFY_H
#define VERIFY_H
#include "matmult.h"

typedef matmult_result (*cuda_step)(const float *, int, const float *, int, float *, int, int);

typedef enum input {
    UNIFORM,          /* [0, 1): the one kind that is held to a relative error */
    IDENTITY,         /* one operand; the product is the other one */
    PERMUTATION,      /* one operand; shows exchanged indices */
    ZEROS,            /* one operand */
    CANCELLING,       /* both signs */
    INTEGERS,         /* small ones: the product is exact */
    SPIKES,           /* one 1 in each row and column, all else small and equal */
    LARGE_FIRST,      /* large ones, then small and equal ones, in each 64 */
    GRAM,             /* A of 10-bit numbers, and B is A transposed: sums of squares */
    MAGNITUDES,       /* 2^-40 to 2^40 in every row and column */
    LARGE,            /* the sums come near the largest float */
    TINY,             /* the products are subnormal */
    SUBNORMAL,        /* one operand */
    INFINITE,         /* one element */
    SPECIALS,         /* infinities, NaNs and zeros that meet each other */
    OVERFLOWING,      /* the product is infinite, of either sign */
    PARTIAL_OVERFLOW, /* the product is finite, and a sum on the way to it is not */
    INPUTS
} input;

/* The largest relative error that a step may have on uniform inputs, and of (|A| |B|) on the
 * others. number is the step's own (2 for 02_naive_cuda). */
double verify_limit(int number, int n);

/* Multiplies n x n inputs of that kind by the step, with leading dimensions n + pad, n + 2 pad and
 * n + 3 pad, a poisoned result and guards around it. Returns NULL or a sentence (static storage)
 * that says what is wrong first. */
const char *verify_product(cuda_step step, int number, input kind, int n, int pad,
                           unsigned long seed);

/* All sizes and inputs, n = 1000 included. */
const char *verify_step(cuda_step step, int number);

#endif
