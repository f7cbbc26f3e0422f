/* normal.c - standard normal operands. */
#include "normal.h"
#include <math.h>

void make_normal(float *x, size_t count) {
    const double pi = 3.14159265358979323846;
    for (size_t i = 0; i + 1 < count; i += 2) {
        double radius = sqrt(-2 * log1p(-(double)x[i])), angle = 2 * pi * (double)x[i + 1];
        x[i] = (float)(radius * cos(angle));
        x[i + 1] = (float)(radius * sin(angle));
    }
    if (count % 2)
        x[count - 1] -= 0.5f;
}
