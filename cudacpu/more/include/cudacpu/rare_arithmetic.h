/* rare_arithmetic.h - device functions that compute, the rarer ones: conversions, wide products,
 * averages, shifts of pairs, functions of pi. */
#ifndef CUDACPU_RARE_ARITHMETIC_H
#define CUDACPU_RARE_ARITHMETIC_H
#include "cudacpu/arithmetic.h"

/* The same under a name for each type. */
#define CUDACPU_EXTREME(prefix, type)                                                              \
    static inline type prefix##min(type a, type b) { return min(a, b); }                           \
    static inline type prefix##max(type a, type b) { return max(a, b); }
CUDACPU_EXTREME(u, unsigned)
CUDACPU_EXTREME(ll, long long)
CUDACPU_EXTREME(ull, unsigned long long)
#undef CUDACPU_EXTREME
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __saturatef(float a) { return a < 0 || a != a ? 0 : a > 1 ? 1 : a; }
static inline unsigned __brev(unsigned a) {
    unsigned b = 0;
    for (int i = 0; i < 32; i++)
        b |= (a >> i & 1) << (31 - i);
    return b;
}
static inline unsigned __umulhi(unsigned a, unsigned b) {
    return (unsigned)((unsigned long long)a * b >> 32);
}
static inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
/* Of the low 24 bits of both. */
static inline int __mul24(int a, int b) {
    return (int)((unsigned)((int)((unsigned)a << 8) >> 8) *
                 (unsigned)((int)((unsigned)b << 8) >> 8));
}
static inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }

static inline float cudacpu_exp10f(float a) { return (float)pow(10.0, a); }
#define __exp10f cudacpu_exp10f

/* Of pi times a: exact at the multiples of a half. */
#if !CUDACPU_GLIBC(2, 41)
static inline double sinpi(double a) {
    const double r = fmod(a, 2);
    return r == 0 || r == 1 || r == -1 ? copysign(0.0, a)
           : r == 0.5 || r == -1.5     ? 1
           : r == -0.5 || r == 1.5     ? -1
                                       : sin(r * 3.14159265358979323846);
}
static inline double cospi(double a) { return sinpi(fmod(fabs(a), 2) + 0.5); }
static inline float sinpif(float a) { return (float)sinpi((double)a); }
static inline float cospif(float a) { return (float)cospi((double)a); }
#endif
static inline void sincospi(double a, double *sine, double *cosine) {
    *sine = sinpi(a);
    *cosine = cospi(a);
}
static inline void sincospif(float a, float *sine, float *cosine) {
    *sine = sinpif(a);
    *cosine = cospif(a);
}
static inline double rcbrt(double a) { return 1.0 / cbrt(a); }
static inline float rcbrtf(float a) { return (float)(1.0 / cbrt((double)a)); }
static inline double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
static inline float rhypotf(float a, float b) { return (float)(1.0 / hypot((double)a, (double)b)); }
static inline double normcdf(double a) { return 0.5 * erfc(-a * 0.70710678118654752440); }
static inline float normcdff(float a) { return (float)normcdf((double)a); }
static inline float fdividef(float a, float b) { return a / b; }
static inline double fdivide(double a, double b) { return a / b; }
static inline float __fmaf_ieee_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline float saturate(float a) { return __saturatef(a); }

static inline float __frcp_rn(float a) { return 1.0f / a; }
static inline float __frsqrt_rn(float a) { return (float)(1.0 / sqrt((double)a)); }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __drcp_rn(double a) { return 1.0 / a; }
static inline double __dsqrt_rn(double a) { return sqrt(a); }

/* Conversions: to integers they saturate, and a NaN gives 0. */
namespace cudacpu {
template <class I, class F> static inline I to_integer(F a) {
    const F least = (F)std::numeric_limits<I>::min(), most = (F)std::numeric_limits<I>::max();
    return a != a       ? 0
           : a <= least ? std::numeric_limits<I>::min()
           : a >= most  ? std::numeric_limits<I>::max()
                        : (I)a;
}
} // namespace cudacpu
#define CUDACPU_CONVERT(name, from, type)                                                          \
    static inline type name##_rn(from a) { return ::cudacpu::to_integer<type>(rint(a)); }          \
    static inline type name##_rd(from a) { return ::cudacpu::to_integer<type>(floor(a)); }         \
    static inline type name##_ru(from a) { return ::cudacpu::to_integer<type>(ceil(a)); }          \
    static inline type name##_rz(from a) { return ::cudacpu::to_integer<type>(trunc(a)); }
CUDACPU_CONVERT(__float2int, float, int)
CUDACPU_CONVERT(__float2uint, float, unsigned)
CUDACPU_CONVERT(__float2ll, float, long long)
CUDACPU_CONVERT(__float2ull, float, unsigned long long)
CUDACPU_CONVERT(__double2int, double, int)
CUDACPU_CONVERT(__double2uint, double, unsigned)
CUDACPU_CONVERT(__double2ll, double, long long)
CUDACPU_CONVERT(__double2ull, double, unsigned long long)
#undef CUDACPU_CONVERT
static inline float __int2float_rn(int a) { return (float)a; }
static inline float __uint2float_rn(unsigned a) { return (float)a; }
static inline float __ll2float_rn(long long a) { return (float)a; }
static inline float __ull2float_rn(unsigned long long a) { return (float)a; }
static inline double __int2double_rn(int a) { return a; }
static inline double __uint2double_rn(unsigned a) { return a; }
static inline double __ll2double_rn(long long a) { return (double)a; }
static inline double __ull2double_rn(unsigned long long a) { return (double)a; }
static inline float __double2float_rn(double a) { return (float)a; }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline long long __mul64hi(long long a, long long b) {
    return (long long)((__int128)a * b >> 64);
}
static inline int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
static inline int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
static inline unsigned __uhadd(unsigned a, unsigned b) {
    return (unsigned)(((unsigned long long)a + b) >> 1);
}
static inline unsigned __urhadd(unsigned a, unsigned b) {
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
static inline unsigned __usad(unsigned a, unsigned b, unsigned sum) {
    return sum + (a < b ? b - a : a - b);
}
static inline unsigned __sad(int a, int b, unsigned sum) {
    return sum + (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b);
}
/* The place of the offset-th set bit from bit base on; a negative offset counts down. ~0: none. */
static inline unsigned __fns(unsigned mask, unsigned base, int offset) {
    if (offset == 0)
        return base < 32 && mask >> base & 1 ? base : ~0u;
    int left = offset < 0 ? -offset : offset;
    for (int i = (int)base; i >= 0 && i < 32; i += offset < 0 ? -1 : 1)
        if (mask >> i & 1 && --left == 0)
            return (unsigned)i;
    return ~0u;
}
static inline unsigned long long __brevll(unsigned long long a) {
    return (unsigned long long)__brev((unsigned)a) << 32 | __brev((unsigned)(a >> 32));
}
/* The pair (high, low), shifted; _lc and _rc by at most 32, the others by the low five bits. */
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return (unsigned)((((unsigned long long)high << 32 | low) << (by & 31)) >> 32);
}
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
static inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) {
    return by >= 32 ? low : __funnelshift_l(low, high, by);
}
static inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
    return by >= 32 ? high : __funnelshift_r(low, high, by);
}
#endif
