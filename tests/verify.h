/* verify.h - holds a step against the reference: many sizes, leading dimensions and kinds of input. */
#ifndef VERIFY_H
#define VERIFY_H
#include "matmult.h"

typedef matmult_time (*cuda_step)(const float *, int, const float *, int, float *, int, int);

typedef enum input {
    UNIFORM, IDENTITY, PERMUTATION, ZEROS, CANCELLING, INTEGERS, MAGNITUDES, INFINITE, INPUTS
} input;

/* Multiplies n x n inputs of that kind by the step, with leading dimensions n + pad (and more), a poisoned result and
 * guards around it. limit is the error allowed: relative for UNIFORM, of (|A| |B|) for the others. Returns NULL or a
 * sentence (static storage) that says what is wrong first. */
const char *verify_product(cuda_step step, input kind, int n, int pad, double limit, unsigned long seed);

/* All sizes and inputs. */
const char *verify_step(cuda_step step, double limit);

#endif
