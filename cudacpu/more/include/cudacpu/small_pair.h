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

/* Of one pair, two and three; h2exp is that of hexp, __hadd2 that of __hadd. */
#define CUDACPU_OF_ONE(name, of_number)                                                            \
    friend small_pair name(small_pair a) { return small_pair(of_number(a.x), of_number(a.y)); }
#define CUDACPU_H2(name) CUDACPU_OF_ONE(h2##name, h##name)
#define CUDACPU_OF_TWO_NAMED(name, of_number)                                                      \
    friend small_pair name(small_pair a, small_pair b) {                                           \
        return small_pair(of_number(a.x, b.x), of_number(a.y, b.y));                               \
    }
#define CUDACPU_OF_TWO(name, end) CUDACPU_OF_TWO_NAMED(__h##name##2##end, __h##name##end)
#define CUDACPU_SUM(name)                                                                          \
    CUDACPU_OF_TWO(name, ) CUDACPU_OF_TWO(name, _rn) CUDACPU_OF_TWO(name, _sat)
#define CUDACPU_FMA(end)                                                                           \
    friend small_pair __hfma2##end(small_pair a, small_pair b, small_pair c) {                     \
        return small_pair(__hfma##end(a.x, b.x, c.x), __hfma##end(a.y, b.y, c.y));                 \
    }
#define CUDACPU_FUNCTIONS(of_one)                                                                  \
    of_one(sqrt) of_one(rcp) of_one(trunc) of_one(ceil) of_one(floor) of_one(rint) of_one(exp)     \
        of_one(exp2) of_one(exp10) of_one(log) of_one(log2) of_one(log10) of_one(sin) of_one(cos)  \
            of_one(rsqrt) of_one(tanh) of_one(tanh_approx)
    CUDACPU_FUNCTIONS(CUDACPU_H2)
    CUDACPU_OF_ONE(__hneg2, __hneg)
    CUDACPU_OF_ONE(__habs2, __habs)
    CUDACPU_SUM(add)
    CUDACPU_SUM(sub)
    CUDACPU_SUM(mul)
    CUDACPU_OF_TWO_NAMED(__h2div, __hdiv)
    CUDACPU_OF_TWO(max, )
    CUDACPU_OF_TWO(min, )
    CUDACPU_OF_TWO(max, _nan)
    CUDACPU_OF_TWO(min, _nan)
    CUDACPU_FMA()
    CUDACPU_FMA(_sat)
    CUDACPU_FMA(_relu)
#undef CUDACPU_OF_ONE
#undef CUDACPU_H2
#undef CUDACPU_OF_TWO_NAMED
#undef CUDACPU_OF_TWO
#undef CUDACPU_SUM
#undef CUDACPU_FMA
#undef CUDACPU_FUNCTIONS

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
#define CUDACPU_BOTH(name) CUDACPU_COMPARISON(name) CUDACPU_COMPARISON(name##u)
    CUDACPU_BOTH(eq)
    CUDACPU_BOTH(ne)
    CUDACPU_BOTH(lt)
    CUDACPU_BOTH(le)
    CUDACPU_BOTH(gt)
    CUDACPU_BOTH(ge)
#undef CUDACPU_BOTH
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
