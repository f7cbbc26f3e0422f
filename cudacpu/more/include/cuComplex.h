/* cuComplex.h - complex numbers of float and double, for C and C++: their parts in x and y, and the
 * functions on them. Quotients and absolute values are guarded against overflow on the way. */
#ifndef CUDACPU_CUCOMPLEX_H
#define CUDACPU_CUCOMPLEX_H
#include "vector_types.h"
#include <math.h>

typedef float2 cuFloatComplex, cuComplex;
typedef double2 cuDoubleComplex;

/* type: of a number; part: of its parts; f: how functions of float end. */
#define CUDACPU_COMPLEX(type, part, f)                                                             \
    CUDACPU_INLINE type make_##type(part x, part y) {                                              \
        type z = {x, y};                                                                           \
        return z;                                                                                  \
    }                                                                                              \
    CUDACPU_INLINE part cuCreal##f(type a) { return a.x; }                                         \
    CUDACPU_INLINE part cuCimag##f(type a) { return a.y; }                                         \
    CUDACPU_INLINE type cuConj##f(type a) { return make_##type(a.x, -a.y); }                       \
    CUDACPU_INLINE type cuCadd##f(type a, type b) { return make_##type(a.x + b.x, a.y + b.y); }    \
    CUDACPU_INLINE type cuCsub##f(type a, type b) { return make_##type(a.x - b.x, a.y - b.y); }    \
    CUDACPU_INLINE type cuCmul##f(type a, type b) {                                                \
        return make_##type(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                          \
    }                                                                                              \
    CUDACPU_INLINE type cuCdiv##f(type a, type b) {                                                \
        const part scale = 1 / (fabs##f(b.x) + fabs##f(b.y));                                      \
        const part u = a.x * scale, v = a.y * scale, p = b.x * scale, q = b.y * scale;             \
        const part inverse = 1 / (p * p + q * q);                                                  \
        return make_##type((u * p + v * q) * inverse, (v * p - u * q) * inverse);                  \
    }                                                                                              \
    CUDACPU_INLINE part cuCabs##f(type a) { return hypot##f(a.x, a.y); }                           \
    /* a b + c, each of the four products fused with its addition */                               \
    CUDACPU_INLINE type cuCfma##f(type a, type b, type c) {                                        \
        return make_##type(fma##f(-a.y, b.y, fma##f(a.x, b.x, c.x)),                               \
                           fma##f(a.y, b.x, fma##f(a.x, b.y, c.y)));                               \
    }
CUDACPU_COMPLEX(cuFloatComplex, float, f)
CUDACPU_COMPLEX(cuDoubleComplex, double, )
#undef CUDACPU_COMPLEX

CUDACPU_INLINE cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
CUDACPU_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
    return make_cuDoubleComplex(a.x, a.y);
}
CUDACPU_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
    return make_cuFloatComplex((float)a.x, (float)a.y);
}
#endif
