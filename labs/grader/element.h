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

#endif
