/* arithmetic.h - device functions that compute: min, max, intrinsics of rounding, bits and
 * integers. */
#ifndef CUDACPU_ARITHMETIC_H
#define CUDACPU_ARITHMETIC_H
#include "cudacpu/ptx_operands.h"
#include <cmath>
#include <cstring>
#include <math.h>
#include <type_traits>

#define CUDACPU_EXTREME(type)                                                                      \
    static inline type min(type a, type b) { return b < a ? b : a; }                               \
    static inline type max(type a, type b) { return a < b ? b : a; }
CUDACPU_EXTREME(int)
CUDACPU_EXTREME(unsigned)
CUDACPU_EXTREME(long)
CUDACPU_EXTREME(unsigned long)
CUDACPU_EXTREME(long long)
CUDACPU_EXTREME(unsigned long long)
#undef CUDACPU_EXTREME
static inline unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
static inline unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
static inline unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
static inline unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
static inline float min(float a, float b) { return fminf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
/* Of two types: as the language converts them for an operator. */
#define CUDACPU_OF_TWO(name)                                                                       \
    template <class A, class B>                                                                    \
    static inline                                                                                  \
        typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value &&    \
                                    !std::is_same<A, B>::value,                                    \
                                decltype(A() + B())>::type                                         \
        name(A a, B b) {                                                                           \
        typedef decltype(A() + B()) both;                                                          \
        return name((both)a, (both)b);                                                             \
    }
CUDACPU_OF_TWO(min)
CUDACPU_OF_TWO(max)
#undef CUDACPU_OF_TWO

static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
/* C23's functions, which newer C libraries have. */
#ifdef __GLIBC_PREREQ
#define CUDACPU_GLIBC(major, minor) __GLIBC_PREREQ(major, minor)
#else
#define CUDACPU_GLIBC(major, minor) 0
#endif
#if !CUDACPU_GLIBC(2, 42)
static inline float rsqrtf(float a) { return 1.0f / sqrtf(a); }
static inline double rsqrt(double a) { return 1.0 / sqrt(a); }
#endif
/* The C library has such names of its own. As exact as the others. */
#define __expf expf
#define __exp2f exp2f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf
#define __sincosf sincosf
#define CUDACPU_SAME_BITS(name, from, to)                                                          \
    static inline to name(from a) {                                                                \
        to b;                                                                                      \
        std::memcpy(&b, &a, sizeof b);                                                             \
        return b;                                                                                  \
    }
CUDACPU_SAME_BITS(__float_as_int, float, int)
CUDACPU_SAME_BITS(__float_as_uint, float, unsigned)
CUDACPU_SAME_BITS(__int_as_float, int, float)
CUDACPU_SAME_BITS(__uint_as_float, unsigned, float)
CUDACPU_SAME_BITS(__double_as_longlong, double, long long)
CUDACPU_SAME_BITS(__longlong_as_double, long long, double)
#undef CUDACPU_SAME_BITS
static inline int __double2hiint(double a) { return (int)(__double_as_longlong(a) >> 32); }
static inline int __double2loint(double a) { return (int)__double_as_longlong(a); }
static inline double __hiloint2double(int high, int low) {
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}
static inline int __popc(unsigned a) { return __builtin_popcount(a); }
static inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
static inline int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
static inline int __clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
static inline int __ffs(int a) { return __builtin_ffs(a); }
static inline int __ffsll(long long a) { return __builtin_ffsll(a); }
static inline int __dp4a(int a, int b, int sum) {
    for (int i = 0; i < 32; i += 8)
        sum += (signed char)(a >> i) * (signed char)(b >> i);
    return sum;
}
static inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
    for (int i = 0; i < 32; i += 8)
        sum += (a >> i & 255) * (b >> i & 255);
    return sum;
}
/* As PTX's prmt, but of a digit of the selector only 3 bits count. */
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    return ::cudacpu::ptx::permute(a, b, selector & 0x7777);
}

namespace cudacpu {
/* Each element of T in a and b, by f, which computes in int. */
template <class T, class F> inline unsigned by_elements(unsigned a, unsigned b, F f) {
    T x[4 / sizeof(T)], y[4 / sizeof(T)];
    std::memcpy(x, &a, 4);
    std::memcpy(y, &b, 4);
    for (unsigned i = 0; i < 4 / sizeof(T); i++)
        x[i] = (T)f((int)x[i], (int)y[i]);
    std::memcpy(&a, x, 4);
    return a;
}
} // namespace cudacpu
static inline unsigned __vabsdiffs4(unsigned first, unsigned second) {
    typedef signed char T;
    return ::cudacpu::by_elements<T>(first, second,
                                     [](int a, int b) { return a < b ? b - a : a - b; });
}
static inline unsigned __vabs4(unsigned a) { return __vabsdiffs4(a, 0); }
#endif
