/* verify.h - holds one step against the reference: results, guards, inputs left alone. */
#ifndef VERIFY_H
#define VERIFY_H
#include "matmult.h"

typedef matmult_time (*cuda_step)(const float *, int, const float *, int, float *, int, int);

enum {
    INPUT_UNIFORM,
    INPUT_IDENTITY,
    INPUT_PERMUTATION,
    INPUT_ZEROS,
    INPUT_SIGNED,
    INPUT_INTEGERS,
    INPUT_HUGE,
    INPUT_TINY,
    INPUT_WIDE,
    INPUT_NOT_FINITE,
    INPUT_OVERFLOW,
    INPUT_COUNT
};

/* Runs the step over sizes, leading dimensions and this kind of input. NULL, or what is wrong (static memory). A
 * step that is not precise sums in float: its bound grows with n. */
const char *verify_step(cuda_step step, const char *name, int precise, int input);

/* All kinds of input, up to the first fault. */
const char *verify_all(cuda_step step, const char *name, int precise);
#endif
