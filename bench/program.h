/* program.h - the programs that the benchmark measures: the steps with CUDA, and cuBLAS. */
#ifndef PROGRAM_H
#define PROGRAM_H
#include "matmult.h"
#include <stddef.h>

typedef struct program {
    const char *name;
    matmult_result (*multiply)(const float *, int, const float *, int, float *, int, int);
    int runs, tells_kernel; /* it runs on this device; its kernel's time is known, cublasXt's is
                               not: find_programs asks */
    int slow;               /* the n at which a call took long, or 0: totals.c's */
} program;

extern program programs[];
extern const int program_count;

/* Finds which of the named programs run here; without names, of all. cublas_sgemm is always one.
 * Prints a line for each that does not. Uses CUDA in children alone. */
void find_programs(int names, char **name);

/* Memory of the host; without it a sentence and the end. */
void *allocate(size_t bytes);

/* One product into c, which held NaN, right after other work of the device. */
matmult_result call_program(const program *p, const float *a, const float *b, float *c, int n);

#endif
