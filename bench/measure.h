/* measure.h - the kernels of several programs on the same operands. */
#ifndef MEASURE_H
#define MEASURE_H
#include "matrices.h"
#include <stdint.h>

enum { MOST_REPEATS = 10 };

typedef struct measurement {
    double kernel[MOST_REPEATS]; /* seconds, ascending */
    double middle;               /* their median */
    double spent;                /* all that its kernels took */
    double max_error, mean_error;
    uint64_t hash; /* of C's bytes, as `run --csv` has it; 0 where n is too large for it */
    int repeats;   /* 0: not measured */
    char note[128];
} measurement;

/* The fewest calls of a program, the first one included, whose kernel takes so long. */
int fewest_calls(double kernel_seconds);

/* Measures the chosen programs, those that tell their kernel's time, by turns, so that a change of
 * clocks meets all alike: a call to warm up, whose result is judged (judge.h), then as many as the
 * spread of the times asks for; launches wait in the queue of a busy device. */
void measure_programs(const matrices *m, const int *chosen, measurement *results);

/* The seconds of cuBLAS SGEMM, or NaN. */
double sgemm_seconds(const measurement *results);

#endif
