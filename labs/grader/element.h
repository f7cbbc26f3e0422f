/* element.h - elements of a matrix in memory: int, float or double, by lab_type. */
#ifndef ELEMENT_H
#define ELEMENT_H
#include "lab.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline size_t size_of(int type) {
    return type == LAB_INT ? sizeof(int) : type == LAB_FLOAT ? sizeof(float) : sizeof(double);
}

static inline void put_element(int type, char *place, double value) {
    int i = (int)value;
    float f = (float)value;
    memcpy(place,
           type == LAB_INT     ? (void *)&i
           : type == LAB_FLOAT ? (void *)&f
                               : (void *)&value,
           size_of(type));
}
static inline double get_element(int type, const char *place) {
    int i;
    float f;
    double d;
    switch (type) {
    case LAB_INT:
        memcpy(&i, place, sizeof i);
        return i;
    case LAB_FLOAT:
        memcpy(&f, place, sizeof f);
        return (double)f;
    default:
        memcpy(&d, place, sizeof d);
        return d;
    }
}

/* As an int would hold it, where it is one. */
static inline double wrapped(int type, double x) {
    return type == LAB_INT && fabs(x) < 9e15 ? (double)(int32_t)(uint32_t)(int64_t)x : x;
}

/* Whether all elements that are got may be those that are expected, as a sum of floats gives them:
 * what is off by the same everywhere has another reason. Rows of got are a stride apart. */
static inline int are_rounded(const double *got, size_t stride, const double *expected, int rows,
                              int columns) {
    const double first = got[0] - expected[0];
    double most = 0x1p24;
    int others = rows * columns == 1;
    for (size_t e = 0; e < (size_t)rows * (size_t)columns; e++)
        most = fmax(most, fabs(expected[e]));
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            const double x = got[(size_t)i * stride + (size_t)j],
                         off = x - expected[(size_t)i * (size_t)columns + (size_t)j];
            if ((double)(float)x != x || !(fabs(off) <= 1e-5 * most))
                return 0;
            others |= off != first;
        }
    return others;
}

#endif
