/* directed_rounding.h - sums, products, quotients and roots, rounded down (_rd), up (_ru) and to
 * zero (_rz): the nearest result, moved to its neighbour where the exact one lies on the other
 * side. */
#ifndef CUDACPU_DIRECTED_ROUNDING_H
#define CUDACPU_DIRECTED_ROUNDING_H
#include "cudacpu/arithmetic.h"
#include "vector_types.h"
#include <cmath>

namespace cudacpu {
enum direction { DOWN, UP, TO_ZERO };

/* rest has the sign of the exact result less a, which is one of its two neighbours, or it. */
template <class T> T round_to(T a, double rest, direction how) {
    if (how == TO_ZERO)
        how = a > 0 || (a == 0 && rest > 0) ? DOWN : UP;
    if (std::isnan(a) || std::isnan(rest) || rest == 0)
        return a;
    if (std::isinf(a)) /* an overflow: of finite operands, as rest is not 0 */
        return (a > 0) == (how == UP) ? a : std::nextafter(a, (T)0);
    return (how == UP) != (rest > 0) ? a : std::nextafter(a, (T)(how == UP ? INFINITY : -INFINITY));
}
/* What a + b leaves, exactly. */
inline double rest_of_sum(double a, double b, double sum) {
    if (!std::isfinite(sum))
        return std::isfinite(a) && std::isfinite(b) ? -sum : 0;
    const double part = sum - a;
    return (a - (sum - part)) + (b - part);
}
inline float round_to_float(double a, double rest, direction how) {
    const float nearest = (float)a;
    const double more = std::isinf(a) ? 0 : std::isinf(nearest) ? -(double)nearest : a - nearest;
    return round_to(nearest, more != 0 ? more : rest, how);
}
/* Of 64 bits: the rest counts in the integers. */
template <class T, class I> T round_integer(I a, direction how) {
    const T nearest = (T)a;
    return round_to(nearest, (double)((__int128)a - (__int128)nearest), how);
}
inline float add(float a, float b, direction how) {
    const double sum = (double)a + b;
    return round_to_float(sum, rest_of_sum(a, b, sum), how);
}
inline float multiply(float a, float b, direction how) {
    return round_to_float((double)a * b, 0, how);
}
template <class T> T divide(T a, T b, direction how) {
    const T q = a / b;
    const double rest = std::isinf(q) && b != 0 && std::isfinite(a)
                            ? -(double)q
                            : std::fma(-(double)q, (double)b, (double)a) * (b < 0 ? -1 : 1);
    return round_to(q, std::isfinite(rest) ? rest : 0, how);
}
template <class T> T root(T a, direction how) {
    const T q = std::sqrt(a);
    const double rest = std::fma(-(double)q, (double)q, (double)a);
    return round_to(q, std::isfinite(rest) ? rest : 0, how);
}
inline float multiply_add(float a, float b, float c, direction how) {
    const double product = (double)a * b, sum = product + c;
    return round_to_float(sum, rest_of_sum(product, c, sum), how);
}
inline double add(double a, double b, direction how) {
    return round_to(a + b, rest_of_sum(a, b, a + b), how);
}
inline double rest_of_product(double a, double b, double product) {
    return !std::isinf(product)                   ? std::fma(a, b, -product)
           : std::isfinite(a) && std::isfinite(b) ? -product
                                                  : 0;
}
inline double multiply(double a, double b, direction how) {
    return round_to(a * b, rest_of_product(a, b, a * b), how);
}
inline double multiply_add(double a, double b, double c, direction how) {
    const double nearest = std::fma(a, b, c), product = a * b, sum = product + c;
    if (std::isinf(sum) || std::isinf(nearest))
        return round_to(nearest, rest_of_product(a, b, nearest), how);
    return round_to(
        nearest, (sum - nearest) + (rest_of_sum(product, c, sum) + rest_of_product(a, b, product)),
        how);
}
} // namespace cudacpu

#define CUDACPU_TO_FLOAT(name, from, how)                                                          \
    static inline float name(from a) { return ::cudacpu::round_to_float(a, 0, how); }
#define CUDACPU_FROM_LONG(name, to, from, how)                                                     \
    static inline to name(from a) { return ::cudacpu::round_integer<to>(a, how); }
#define CUDACPU_DIRECTED(mode, how)                                                                \
    static inline float __fadd_##mode(float a, float b) { return ::cudacpu::add(a, b, how); }      \
    static inline float __fsub_##mode(float a, float b) { return ::cudacpu::add(a, -b, how); }     \
    static inline float __fmul_##mode(float a, float b) { return ::cudacpu::multiply(a, b, how); } \
    static inline float __fdiv_##mode(float a, float b) { return ::cudacpu::divide(a, b, how); }   \
    static inline float __frcp_##mode(float a) { return ::cudacpu::divide(1.0f, a, how); }         \
    static inline float __fsqrt_##mode(float a) { return ::cudacpu::root(a, how); }                \
    static inline float __fmaf_##mode(float a, float b, float c) {                                 \
        return ::cudacpu::multiply_add(a, b, c, how);                                              \
    }                                                                                              \
    static inline float __fmaf_ieee_##mode(float a, float b, float c) {                            \
        return ::cudacpu::multiply_add(a, b, c, how);                                              \
    }                                                                                              \
    static inline double __dadd_##mode(double a, double b) { return ::cudacpu::add(a, b, how); }   \
    static inline double __dsub_##mode(double a, double b) { return ::cudacpu::add(a, -b, how); }  \
    static inline double __dmul_##mode(double a, double b) {                                       \
        return ::cudacpu::multiply(a, b, how);                                                     \
    }                                                                                              \
    static inline double __ddiv_##mode(double a, double b) {                                       \
        return ::cudacpu::divide(a, b, how);                                                       \
    }                                                                                              \
    static inline double __drcp_##mode(double a) { return ::cudacpu::divide(1.0, a, how); }        \
    static inline double __dsqrt_##mode(double a) { return ::cudacpu::root(a, how); }              \
    static inline double __fma_##mode(double a, double b, double c) {                              \
        return ::cudacpu::multiply_add(a, b, c, how);                                              \
    }                                                                                              \
    CUDACPU_TO_FLOAT(__double2float_##mode, double, how)                                           \
    CUDACPU_TO_FLOAT(__int2float_##mode, int, how)                                                 \
    CUDACPU_TO_FLOAT(__uint2float_##mode, unsigned, how)                                           \
    CUDACPU_FROM_LONG(__ll2float_##mode, float, long long, how)                                    \
    CUDACPU_FROM_LONG(__ull2float_##mode, float, unsigned long long, how)                          \
    CUDACPU_FROM_LONG(__ll2double_##mode, double, long long, how)                                  \
    CUDACPU_FROM_LONG(__ull2double_##mode, double, unsigned long long, how)
/* Of pairs. */
#define CUDACPU_PAIRS(mode)                                                                        \
    static inline float2 __fadd2_##mode(float2 a, float2 b) {                                      \
        return {__fadd_##mode(a.x, b.x), __fadd_##mode(a.y, b.y)};                                 \
    }                                                                                              \
    static inline float2 __fmul2_##mode(float2 a, float2 b) {                                      \
        return {__fmul_##mode(a.x, b.x), __fmul_##mode(a.y, b.y)};                                 \
    }                                                                                              \
    static inline float2 __ffma2_##mode(float2 a, float2 b, float2 c) {                            \
        return {__fmaf_##mode(a.x, b.x, c.x), __fmaf_##mode(a.y, b.y, c.y)};                       \
    }
CUDACPU_DIRECTED(rd, ::cudacpu::DOWN)
CUDACPU_DIRECTED(ru, ::cudacpu::UP)
CUDACPU_DIRECTED(rz, ::cudacpu::TO_ZERO)
CUDACPU_PAIRS(rn)
CUDACPU_PAIRS(rd)
CUDACPU_PAIRS(ru)
CUDACPU_PAIRS(rz)
#undef CUDACPU_PAIRS
#undef CUDACPU_DIRECTED
#undef CUDACPU_TO_FLOAT
#undef CUDACPU_FROM_LONG
#endif
