/* small_float.h - __half and __nv_bfloat16: one type for both, with the functions that have the
 * same name for both. Each operation is one of double, rounded once more to 16 bits. That is the
 * result rounded once: a sum, a difference, a product, a quotient and a root of numbers of p bits
 * survive a first rounding to 2 p + 2 bits or more (Figueroa), and double has 53 for 11 and 8. What
 * does not, fma, is first rounded to odd. A NaN is 0x7fff, as on a GPU. */
#ifndef CUDACPU_SMALL_FLOAT_H
#define CUDACPU_SMALL_FLOAT_H
#include "cudacpu/half_bits.h"
#include <cmath>
#include <limits>
#include <type_traits>

namespace cudacpu {

/* a b + c, whose last bit says whether it is exact: any later rounding to fewer bits, whatever its
 * mode, has the result of rounding once. The product must be exact. */
inline double fma_to_odd(double a, double b, double c) {
    const double product = a * b, sum = product + c, of_c = sum - product;
    const double error = (product - (sum - of_c)) + (c - of_c); /* of sum, exactly */
    uint64_t bits = bits_as<uint64_t>(sum);
    if ((error > 0 || error < 0) && !(bits & 1))
        bits += (error > 0) == (sum > 0) ? 1 : (uint64_t)-1;
    return bits_as<double>(bits);
}

/* An integer of up to 64 bits as a double that rounds to 16 bits as the integer does. */
template <class T> double integer_to_odd(T value) {
    const bool negative = value < 0;
    uint64_t magnitude = negative ? 0 - (uint64_t)value : (uint64_t)value;
    if (magnitude >> 53)
        magnitude = (magnitude >> 11 | ((magnitude & 0x7ff) != 0)) << 11;
    return negative ? -(double)magnitude : (double)magnitude;
}

inline double round_to_integer(double x, rounding mode) {
    switch (mode) {
    case rounding::to_zero:
        return std::trunc(x);
    case rounding::up:
        return std::ceil(x);
    case rounding::down:
        return std::floor(x);
    default:
        break;
    }
    /* nearbyint() would ask for the CPU's rounding mode. */
    const double below = std::floor(x), rest = x - below;
    const bool odd = below - 2 * std::floor(below / 2) > 0;
    return std::copysign(below + (rest > 0.5 || (rest == 0.5 && odd)), x);
}

/* As cvt: what does not fit becomes the nearest that does; a NaN 0, or in 64 bits the highest bit.
 */
template <class T> T to_integer(double x, rounding mode) {
    typedef std::numeric_limits<T> limits;
    if (x != x)
        return sizeof(T) == 8 ? (T)((uint64_t)1 << 63) : 0;
    x = round_to_integer(x, mode);
    if (x >= (double)limits::max())
        return limits::max();
    return x <= (double)limits::min() ? limits::min() : (T)x;
}

/* format: half_format or bfloat16_format, with round(), value() and raw, a struct of the bits. */
template <class format> struct alignas(2) small_float {
    typedef typename format::raw raw;
    unsigned short bits;

    small_float() = default;
    small_float(const raw &r) : bits(r.x) {}
    small_float(float x) : bits(format::round(x, rounding::to_nearest_even)) {}
    small_float(double x) : bits(format::round(x, rounding::to_nearest_even)) {}
    template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
    small_float(T x) : bits(format::round(integer_to_odd(x), rounding::to_nearest_even)) {}
    static small_float of(double x, rounding mode = rounding::to_nearest_even) {
        return of_bits(format::round(x, mode));
    }
    static small_float of_bits(unsigned bits) {
        small_float result;
        result.bits = (unsigned short)bits;
        return result;
    }

    operator raw() const { return raw{bits}; }
    operator float() const { return format::value(bits); }
    operator bool() const { return (bits & 0x7fff) != 0; }
    template <class T, class = typename std::enable_if<std::is_integral<T>::value &&
                                                       !std::is_same<T, bool>::value>::type>
    operator T() const {
        return to_integer<T>(value(), rounding::to_zero);
    }
    double value() const { return format::value(bits); }
    bool is_nan() const { return (bits & 0x7fff) > format::INFINITY_BITS; }

#define CUDACPU_OPERATOR(sign, name)                                                               \
    friend small_float name(small_float a, small_float b) { return of(a.value() sign b.value()); } \
    friend small_float operator sign(const small_float &a, const small_float &b) {                 \
        return name(a, b);                                                                         \
    }                                                                                              \
    friend small_float &operator sign##=(small_float &a, const small_float &b) {                   \
        return a = name(a, b);                                                                     \
    }
#define CUDACPU_SUM(sign, name)                                                                    \
    CUDACPU_OPERATOR(sign, name)                                                                   \
    friend small_float name##_rn(small_float a, small_float b) { return name(a, b); }              \
    friend small_float name##_sat(small_float a, small_float b) { return saturated(name(a, b)); }
    CUDACPU_SUM(+, __hadd)
    CUDACPU_SUM(-, __hsub)
    CUDACPU_SUM(*, __hmul)
    CUDACPU_OPERATOR(/, __hdiv)
#undef CUDACPU_SUM
#undef CUDACPU_OPERATOR
    friend small_float __hfma(small_float a, small_float b, small_float c) {
        return of(fma_to_odd(a.value(), b.value(), c.value()));
    }
    friend small_float __hfma_sat(small_float a, small_float b, small_float c) {
        return saturated(__hfma(a, b, c));
    }
    friend small_float __hfma_relu(small_float a, small_float b, small_float c) {
        const small_float x = __hfma(a, b, c);
        return x.is_nan() || x.value() > 0 ? x : of_bits(0);
    }
    friend small_float __hneg(small_float a) {
        return of_bits(a.is_nan() ? 0x7fff : a.bits ^ 0x8000);
    }
    friend small_float __habs(small_float a) {
        return of_bits(a.is_nan() ? 0x7fff : a.bits & 0x7fff);
    }
    friend small_float operator+(const small_float &a) { return a; }
    friend small_float operator-(const small_float &a) { return __hneg(a); }
#define CUDACPU_STEP(sign, by_one)                                                                 \
    friend small_float &operator sign(small_float &a) { return a = by_one(a, of(1)); }             \
    friend small_float operator sign(small_float &a, int) {                                        \
        const small_float before = a;                                                              \
        a = by_one(a, of(1));                                                                      \
        return before;                                                                             \
    }
    CUDACPU_STEP(++, __hadd)
    CUDACPU_STEP(--, __hsub)
#undef CUDACPU_STEP

/* The u of __hequ: unordered, so a NaN makes it true; else false. */
#define CUDACPU_COMPARISON(sign, ordered, unordered, used)                                         \
    friend bool ordered(small_float a, small_float b) {                                            \
        return !a.is_nan() && !b.is_nan() && a.value() sign b.value();                             \
    }                                                                                              \
    friend bool unordered(small_float a, small_float b) {                                          \
        return a.is_nan() || b.is_nan() || a.value() sign b.value();                               \
    }                                                                                              \
    friend bool operator sign(const small_float &a, const small_float &b) { return used(a, b); }
    CUDACPU_COMPARISON(==, __heq, __hequ, __heq)
    CUDACPU_COMPARISON(!=, __hne, __hneu, __hneu)
    CUDACPU_COMPARISON(<, __hlt, __hltu, __hlt)
    CUDACPU_COMPARISON(<=, __hle, __hleu, __hle)
    CUDACPU_COMPARISON(>, __hgt, __hgtu, __hgt)
    CUDACPU_COMPARISON(>=, __hge, __hgeu, __hge)
#undef CUDACPU_COMPARISON
    friend bool __hisnan(small_float a) { return a.is_nan(); }
    friend int __hisinf(small_float a) {
        return (a.bits & 0x7fff) != format::INFINITY_BITS ? 0 : a.bits & 0x8000 ? -1 : 1;
    }
/* Of a number and a NaN the number, of name_nan the NaN; -0 is less than +0. */
#define CUDACPU_EXTREME(name, sign, negative)                                                      \
    friend small_float name(small_float a, small_float b) {                                        \
        if (a.is_nan() || b.is_nan())                                                              \
            return a.is_nan() ? of(b.value()) : a;                                                 \
        const bool alike = a.value() == b.value();                                                 \
        return a.value() sign b.value() || (alike && negative.bits & 0x8000) ? a : b;              \
    }                                                                                              \
    friend small_float name##_nan(small_float a, small_float b) {                                  \
        return a.is_nan() || b.is_nan() ? of_bits(0x7fff) : name(a, b);                            \
    }
    CUDACPU_EXTREME(__hmax, >, b)
    CUDACPU_EXTREME(__hmin, <, a)
#undef CUDACPU_EXTREME

#define CUDACPU_ROUNDED(name, expression)                                                          \
    friend small_float name(small_float a) {                                                       \
        const double x = a.value();                                                                \
        return of(expression);                                                                     \
    }
    CUDACPU_ROUNDED(hsqrt, std::sqrt(x))
    CUDACPU_ROUNDED(hrcp, 1 / x)
    CUDACPU_ROUNDED(htrunc, std::trunc(x))
    CUDACPU_ROUNDED(hceil, std::ceil(x))
    CUDACPU_ROUNDED(hfloor, std::floor(x))
    CUDACPU_ROUNDED(hrint, round_to_integer(x, rounding::to_nearest_even))
    /* A GPU approximates these; here they are rounded from double. */
    CUDACPU_ROUNDED(hexp, std::exp(x))
    CUDACPU_ROUNDED(hexp2, std::exp2(x))
    CUDACPU_ROUNDED(hexp10, std::pow(10.0, x))
    CUDACPU_ROUNDED(hlog, std::log(x))
    CUDACPU_ROUNDED(hlog2, std::log2(x))
    CUDACPU_ROUNDED(hlog10, std::log10(x))
    CUDACPU_ROUNDED(hsin, std::sin(x))
    CUDACPU_ROUNDED(hcos, std::cos(x))
    CUDACPU_ROUNDED(htanh, std::tanh(x))
    CUDACPU_ROUNDED(htanh_approx, std::tanh(x))
    CUDACPU_ROUNDED(hrsqrt, 1 / std::sqrt(x))
#undef CUDACPU_ROUNDED

  private:
    static small_float saturated(small_float a) { /* to [0, 1], a NaN to 0 */
        return !(a.value() > 0) ? of_bits(0) : a.value() > 1 ? of(1) : a;
    }
};

} // namespace cudacpu
#endif
