/* program.h - the programs that the benchmark measures: the steps with CUDA, and cuBLAS. */
#ifndef PROGRAM_H
#define PROGRAM_H
#include "matmult.h"
#include <stddef.h>

enum { MOST_PROGRAMS = 128 };

typedef struct program {
    const char *name;
    matmult_result (*multiply)(const float *, int, const float *, int, float *, int, int);
    int runs, tells_kernel; /* it runs on this device; its kernel's time is known, cublasXt's is
                               not: find_programs asks */
} program;

extern program programs[];
extern const int program_count;

/* The number of a name, or -1. */
int find_program(const char *name);
int is_library(const program *p);

/* Finds which of the wanted programs run here, several at a time, and prints a line to stderr for
 * each that does not. Uses CUDA in children alone. */
void find_programs(const int *wanted);

/* From now on so many seconds, or with 0 no limit; and whether they are over. */
void limit_time(double seconds);
int is_time_over(void);

#endif
