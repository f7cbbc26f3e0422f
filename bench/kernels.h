/* kernels.h - a table of the kernels' speed and error. */
#ifndef KERNELS_H
#define KERNELS_H
#include "ceilings.h"
#include "operands.h"

/* CSV: a line for each size and each chosen program: n x n operands of a kind with seed 0, the
 * kernel's time, its largest and mean error as parts of (|A| |B|)_ij, and the hash of its result. A
 * program for which a size would take too long, by its times at other sizes, is left out there. */
void measure_kernels(operand_kind kind, int count, const int *sizes, const int *chosen,
                     ceilings limit);

#endif
