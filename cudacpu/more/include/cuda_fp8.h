/* cuda_fp8.h - numbers of 8 bits, which are stored and converted, not computed with: e4m3 (4 bits
 * of exponent, 3 of fraction, no infinity) and e5m2, one, two and four of them. Conversions are
 * rounded once, to nearest even. Absent is e8m0, a scale. */
#ifndef CUDACPU_CUDA_FP8_H
#define CUDACPU_CUDA_FP8_H
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* A NaN keeps its sign, and in e5m2 what fits of its fraction. */
static inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t kind) {
    const bool e5m2 = kind == __NV_E5M2;
    const int width = e5m2 ? 2 : 3, least = e5m2 ? -14 : -6; /* of the fraction; exponent */
    const uint64_t largest = e5m2 ? 0x7b : 0x7e, beyond = e5m2 ? 0x7c : 0x7f,
                   bits = ::cudacpu::bits_as<uint64_t>(x), magnitude = bits & ~(uint64_t)0 >> 1;
    const unsigned sign = (unsigned)(bits >> 63) << 7;
    if (magnitude > 0x7ff0000000000000)
        return (__nv_fp8_storage_t)(sign | (e5m2 ? 0x7e | (bits >> 50 & 3) : 0x7f));
    const int exponent = (int)(magnitude >> 52) - 1023;
    uint64_t fraction = magnitude & 0xfffffffffffff;
    if (exponent > -1023)
        fraction |= (uint64_t)1 << 52;
    int drop = 52 - width + (exponent < least ? least - exponent : 0);
    if (drop > 54)
        drop = 54; /* less than half of the smallest number */
    uint64_t kept = fraction >> drop;
    const uint64_t rest = fraction - (kept << drop), half = (uint64_t)1 << (drop - 1);
    kept += rest > half || (rest == half && kept & 1); /* a carry goes on into the exponent */
    if (exponent > least)
        kept += (uint64_t)(exponent - least) << width;
    if (kept > largest)
        kept = saturate == __NV_SATFINITE ? largest : beyond;
    return (__nv_fp8_storage_t)(sign | kept);
}
static inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t kind) {
    return x != x ? 0x7f : __nv_cvt_double_to_fp8((double)x, saturate, kind);
}
static inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(::cudacpu::half_value(x.x), saturate, kind);
}
static inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                             __nv_saturation_t saturate,
                                                             __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(::cudacpu::bfloat16_value(x.x), saturate, kind);
}
#define CUDACPU_OF_PAIR(name, pair, of_one, raw)                                                   \
    static inline __nv_fp8x2_storage_t name(pair x, __nv_saturation_t saturate,                    \
                                            __nv_fp8_interpretation_t kind) {                      \
        return (__nv_fp8x2_storage_t)(of_one(raw{x.x}, saturate, kind) |                           \
                                      of_one(raw{x.y}, saturate, kind) << 8);                      \
    }
CUDACPU_OF_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, double)
CUDACPU_OF_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, float)
CUDACPU_OF_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8, __half_raw)
CUDACPU_OF_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8,
                __nv_bfloat16_raw)
#undef CUDACPU_OF_PAIR

/* Exact; every NaN becomes 0x7fff. */
static inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                                 __nv_fp8_interpretation_t kind) {
    const unsigned magnitude = x & 0x7f, sign = (x & 0x80u) << 8;
    if (magnitude > (kind == __NV_E5M2 ? 0x7cu : 0x7eu))
        return {0x7fff};
    if (kind == __NV_E5M2)
        return {(unsigned short)(x << 8)};
    /* As a half whose exponent's bias is 8 smaller; a product does for subnormals, too. */
    const double value = ::cudacpu::half_value((uint16_t)(magnitude << 7)) * 256.0;
    return {(unsigned short)(sign | ::cudacpu::half_bits(value))};
}
static inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                     __nv_fp8_interpretation_t kind) {
    return {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
            __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
}

namespace cudacpu {

template <__nv_fp8_interpretation_t kind> struct fp8 {
    __nv_fp8_storage_t __x;

    fp8() = default;
    explicit fp8(__half x) : __x(__nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, kind)) {}
    explicit fp8(__nv_bfloat16 x) : __x(__nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, kind)) {}
    explicit fp8(float x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, kind)) {}
    explicit fp8(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind)) {}
    template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
    explicit fp8(T x) : fp8((float)x) {}

    explicit operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, kind); }
    explicit operator float() const { return half_value(__nv_cvt_fp8_to_halfraw(__x, kind).x); }
    explicit operator __nv_bfloat16() const { return __float2bfloat16_rz((float)*this); }
    explicit operator double() const { return (double)(float)*this; }
    explicit operator bool() const { return (__x & 0x7f) != 0; }
    template <class T, class = typename std::enable_if<std::is_integral<T>::value &&
                                                       !std::is_same<T, bool>::value>::type>
    explicit operator T() const {
        return to_integer<T>((double)*this, rounding::to_zero);
    }
};

template <__nv_fp8_interpretation_t kind> struct alignas(2) fp8x2 {
    __nv_fp8x2_storage_t __x;

    fp8x2() = default;
    explicit fp8x2(__half2 x) : __x(__nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, kind)) {}
    explicit fp8x2(__nv_bfloat162 x)
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(x, __NV_SATFINITE, kind)) {}
    explicit fp8x2(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind)) {}
    explicit fp8x2(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, kind)) {}

    explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, kind); }
    explicit operator float2() const {
        const __half2_raw both = __nv_cvt_fp8x2_to_halfraw2(__x, kind);
        return make_float2(half_value(both.x), half_value(both.y));
    }
};

template <__nv_fp8_interpretation_t kind> struct alignas(4) fp8x4 {
    __nv_fp8x4_storage_t __x;

    fp8x4() = default;
    explicit fp8x4(__half2 low, __half2 high) { put(fp8x2<kind>(low), fp8x2<kind>(high)); }
    explicit fp8x4(__nv_bfloat162 low, __nv_bfloat162 high) {
        put(fp8x2<kind>(low), fp8x2<kind>(high));
    }
    explicit fp8x4(float4 x) {
        put(fp8x2<kind>(make_float2(x.x, x.y)), fp8x2<kind>(make_float2(x.z, x.w)));
    }
    explicit fp8x4(double4 x) {
        put(fp8x2<kind>(make_double2(x.x, x.y)), fp8x2<kind>(make_double2(x.z, x.w)));
    }

    explicit operator float4() const {
        const float2 low = (float2)half(0), high = (float2)half(16);
        return make_float4(low.x, low.y, high.x, high.y);
    }

  private:
    fp8x2<kind> half(int shift) const {
        fp8x2<kind> two;
        two.__x = (__nv_fp8x2_storage_t)(__x >> shift);
        return two;
    }
    void put(fp8x2<kind> low, fp8x2<kind> high) {
        __x = low.__x | (__nv_fp8x4_storage_t)high.__x << 16;
    }
};

} // namespace cudacpu

typedef ::cudacpu::fp8<__NV_E4M3> __nv_fp8_e4m3;
typedef ::cudacpu::fp8<__NV_E5M2> __nv_fp8_e5m2;
typedef ::cudacpu::fp8x2<__NV_E4M3> __nv_fp8x2_e4m3;
typedef ::cudacpu::fp8x2<__NV_E5M2> __nv_fp8x2_e5m2;
typedef ::cudacpu::fp8x4<__NV_E4M3> __nv_fp8x4_e4m3;
typedef ::cudacpu::fp8x4<__NV_E5M2> __nv_fp8x4_e5m2;
#endif
