/* kernels.h - a table of the kernels' speed and error. */
#ifndef KERNELS_H
#define KERNELS_H
#include "ceilings.h"

typedef enum operands { UNIFORM, NORMAL } operands;

/* The header of the CSV. */
void print_kernels_header(void);

/* A line of CSV for each program that runs: n x n, the kernel's time and its largest and mean
 * error, as parts of (|A| |B|)_ij. Operands are uniform in [0, 1) or standard normal. */
void measure_kernels(int n, operands kind, ceilings limit);

#endif
