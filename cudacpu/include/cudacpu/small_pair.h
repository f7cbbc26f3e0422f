/* small_pair.h - __half2 and __nv_bfloat162: the functions of a number for both numbers of a pair.
 */
#ifndef CUDACPU_SMALL_PAIR_H
#define CUDACPU_SMALL_PAIR_H
#include "cudacpu/small_float.h"

namespace cudacpu {

template <class format> struct alignas(4) small_pair {
    typedef small_float<format> number;
    typedef typename format::raw_pair raw;
    number x, y;

    small_pair() = default;
    small_pair(const number &x, const number &y) : x(x), y(y) {}
    small_pair(const raw &r) : x(number::of_bits(r.x)), y(number::of_bits(r.y)) {}
    operator raw() const { return raw{x.bits, y.bits}; }

/* Of one pair, two and three. */
#define CUDACPU_OF_ONE(name, of_number)                                                            \
    friend small_pair name(small_pair a) { return small_pair(of_number(a.x), of_number(a.y)); }
#define CUDACPU_OF_TWO(name, of_number)                                                            \
    friend small_pair name(small_pair a, small_pair b) {                                           \
        return small_pair(of_number(a.x, b.x), of_number(a.y, b.y));                               \
    }
#define CUDACPU_OF_THREE(name, of_number)                                                          \
    friend small_pair name(small_pair a, small_pair b, small_pair c) {                             \
        return small_pair(of_number(a.x, b.x, c.x), of_number(a.y, b.y, c.y));                     \
    }
    CUDACPU_OF_ONE(__hneg2, __hneg)
    CUDACPU_OF_ONE(__habs2, __habs)
    CUDACPU_OF_ONE(h2sqrt, hsqrt)
    CUDACPU_OF_ONE(h2rcp, hrcp)
    CUDACPU_OF_ONE(h2trunc, htrunc)
    CUDACPU_OF_ONE(h2ceil, hceil)
    CUDACPU_OF_ONE(h2floor, hfloor)
    CUDACPU_OF_ONE(h2rint, hrint)
    CUDACPU_OF_ONE(h2exp, hexp)
    CUDACPU_OF_ONE(h2exp2, hexp2)
    CUDACPU_OF_ONE(h2exp10, hexp10)
    CUDACPU_OF_ONE(h2log, hlog)
    CUDACPU_OF_ONE(h2log2, hlog2)
    CUDACPU_OF_ONE(h2log10, hlog10)
    CUDACPU_OF_ONE(h2sin, hsin)
    CUDACPU_OF_ONE(h2cos, hcos)
    CUDACPU_OF_ONE(h2rsqrt, hrsqrt)
    CUDACPU_OF_ONE(h2tanh, htanh)
    CUDACPU_OF_ONE(h2tanh_approx, htanh_approx)
    CUDACPU_OF_TWO(__hadd2, __hadd)
    CUDACPU_OF_TWO(__hsub2, __hsub)
    CUDACPU_OF_TWO(__hmul2, __hmul)
    CUDACPU_OF_TWO(__h2div, __hdiv)
    CUDACPU_OF_TWO(__hadd2_rn, __hadd)
    CUDACPU_OF_TWO(__hsub2_rn, __hsub)
    CUDACPU_OF_TWO(__hmul2_rn, __hmul)
    CUDACPU_OF_TWO(__hadd2_sat, __hadd_sat)
    CUDACPU_OF_TWO(__hsub2_sat, __hsub_sat)
    CUDACPU_OF_TWO(__hmul2_sat, __hmul_sat)
    CUDACPU_OF_TWO(__hmax2, __hmax)
    CUDACPU_OF_TWO(__hmin2, __hmin)
    CUDACPU_OF_TWO(__hmax2_nan, __hmax_nan)
    CUDACPU_OF_TWO(__hmin2_nan, __hmin_nan)
    CUDACPU_OF_THREE(__hfma2, __hfma)
    CUDACPU_OF_THREE(__hfma2_sat, __hfma_sat)
    CUDACPU_OF_THREE(__hfma2_relu, __hfma_relu)
#undef CUDACPU_OF_ONE
#undef CUDACPU_OF_TWO
#undef CUDACPU_OF_THREE

/* As 1 or 0 in each number, as a mask of 16 bits for each, and whether both hold. */
#define CUDACPU_COMPARISON(name)                                                                   \
    friend small_pair __h##name##2(small_pair a, small_pair b) {                                   \
        return small_pair(number(__h##name(a.x, b.x) ? 1 : 0),                                     \
                          number(__h##name(a.y, b.y) ? 1 : 0));                                    \
    }                                                                                              \
    friend unsigned __h##name##2_mask(small_pair a, small_pair b) {                                \
        return (__h##name(a.x, b.x) ? 0xffff : 0) | (__h##name(a.y, b.y) ? 0xffff0000 : 0);        \
    }                                                                                              \
    friend bool __hb##name##2(small_pair a, small_pair b) {                                        \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }
    CUDACPU_COMPARISON(eq)
    CUDACPU_COMPARISON(ne)
    CUDACPU_COMPARISON(lt)
    CUDACPU_COMPARISON(le)
    CUDACPU_COMPARISON(gt)
    CUDACPU_COMPARISON(ge)
    CUDACPU_COMPARISON(equ)
    CUDACPU_COMPARISON(neu)
    CUDACPU_COMPARISON(ltu)
    CUDACPU_COMPARISON(leu)
    CUDACPU_COMPARISON(gtu)
    CUDACPU_COMPARISON(geu)
#undef CUDACPU_COMPARISON
    friend small_pair __hisnan2(small_pair a) {
        return small_pair(number(a.x.is_nan() ? 1 : 0), number(a.y.is_nan() ? 1 : 0));
    }

#define CUDACPU_OPERATOR(sign, name)                                                               \
    friend small_pair operator sign(const small_pair &a, const small_pair &b) {                    \
        return name(a, b);                                                                         \
    }                                                                                              \
    friend small_pair &operator sign##=(small_pair &a, const small_pair &b) {                      \
        return a = name(a, b);                                                                     \
    }
    CUDACPU_OPERATOR(+, __hadd2)
    CUDACPU_OPERATOR(-, __hsub2)
    CUDACPU_OPERATOR(*, __hmul2)
    CUDACPU_OPERATOR(/, __h2div)
#undef CUDACPU_OPERATOR
    friend small_pair operator+(const small_pair &a) { return a; }
    friend small_pair operator-(const small_pair &a) { return __hneg2(a); }
    friend bool operator==(const small_pair &a, const small_pair &b) { return __hbeq2(a, b); }
    friend bool operator!=(const small_pair &a, const small_pair &b) { return __hbneu2(a, b); }
    friend bool operator<(const small_pair &a, const small_pair &b) { return __hblt2(a, b); }
    friend bool operator<=(const small_pair &a, const small_pair &b) { return __hble2(a, b); }
    friend bool operator>(const small_pair &a, const small_pair &b) { return __hbgt2(a, b); }
    friend bool operator>=(const small_pair &a, const small_pair &b) { return __hbge2(a, b); }

    /* a * b + c of complex numbers, by four fma. */
    friend small_pair __hcmadd(small_pair a, small_pair b, small_pair c) {
        return small_pair(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
                          __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
    }
    friend float __low2float(small_pair a) { return a.x; }
    friend float __high2float(small_pair a) { return a.y; }
    friend small_pair __lowhigh2highlow(small_pair a) { return small_pair(a.y, a.x); }
};

} // namespace cudacpu
#endif
