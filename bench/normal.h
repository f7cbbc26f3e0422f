/* normal.h - standard normal operands. */
#ifndef NORMAL_H
#define NORMAL_H
#include <stddef.h>

/* Box and Muller: two uniform numbers become two standard normal ones. */
void make_normal(float *x, size_t count);

#endif
