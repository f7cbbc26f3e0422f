/* dpx.h - DPX, the functions of dynamic programming: the largest or the least of two or three, of a
 * sum and a third, with the result of the comparison, and at least 0 (_relu). Of words, and of two
 * halfwords of a word. For host and device. Sums wrap around. */
#ifndef CUDACPU_DPX_H
#define CUDACPU_DPX_H

namespace cudacpu {
template <class E, class F> inline unsigned by_halfwords(unsigned a, unsigned b, unsigned c, F f) {
    const auto low = (unsigned short)f((E)a, (E)b, (E)c);
    const auto high = (unsigned short)f((E)(a >> 16), (E)(b >> 16), (E)(c >> 16));
    return (unsigned)high << 16 | low;
}
template <class E, class S> inline E larger(S a, S b) { return a < b ? b : a; }
template <class E, class S> inline E lesser(S a, S b) { return b < a ? b : a; }
} // namespace cudacpu

/* The expression of a, b and c of type E, for a word and for each halfword. */
#define CUDACPU_DPX_TWO(name, expression)                                                          \
    static inline int name##_s32_relu(const int a, const int b) {                                  \
        typedef int E;                                                                             \
        const E c = 0;                                                                             \
        return expression;                                                                         \
    }                                                                                              \
    static inline unsigned name##_s16x2_relu(const unsigned first, const unsigned second) {        \
        typedef short E;                                                                           \
        return ::cudacpu::by_halfwords<E>(first, second, 0,                                        \
                                          [](E a, E b, E c) -> E { return expression; });          \
    }
#define CUDACPU_DPX_THREE(name, word_suffix, word, half_suffix, half, expression)                  \
    static inline word name##word_suffix(const word a, const word b, const word c) {               \
        typedef word E;                                                                            \
        return expression;                                                                         \
    }                                                                                              \
    static inline unsigned name##half_suffix(const unsigned first, const unsigned second,          \
                                             const unsigned third) {                               \
        typedef half E;                                                                            \
        return ::cudacpu::by_halfwords<E>(first, second, third,                                    \
                                          [](E a, E b, E c) -> E { return expression; });          \
    }
#define CUDACPU_DPX(name, expression)                                                              \
    CUDACPU_DPX_THREE(name, _s32, int, _s16x2, short, expression)                                  \
    CUDACPU_DPX_THREE(name, _u32, unsigned, _u16x2, unsigned short, expression)                    \
    CUDACPU_DPX_THREE(name, _s32_relu, int, _s16x2_relu, short,                                    \
                      ::cudacpu::larger<E>((E)(expression), (E)0))
#define CUDACPU_SUM (E)((unsigned)a + (unsigned)b)
CUDACPU_DPX_TWO(__vimax, ::cudacpu::larger<E>(::cudacpu::larger<E>(a, b), c))
CUDACPU_DPX_TWO(__vimin, ::cudacpu::larger<E>(::cudacpu::lesser<E>(a, b), c))
CUDACPU_DPX(__vimax3, ::cudacpu::larger<E>(::cudacpu::larger<E>(a, b), c))
CUDACPU_DPX(__vimin3, ::cudacpu::lesser<E>(::cudacpu::lesser<E>(a, b), c))
CUDACPU_DPX(__viaddmax, ::cudacpu::larger<E>(CUDACPU_SUM, c))
CUDACPU_DPX(__viaddmin, ::cudacpu::lesser<E>(CUDACPU_SUM, c))
#undef CUDACPU_SUM
#undef CUDACPU_DPX
#undef CUDACPU_DPX_TWO
#undef CUDACPU_DPX_THREE

/* The predicates say whether the result is a. */
#define CUDACPU_DPX_WHICH(name, suffix, word, half_suffix, half, sign)                             \
    static inline word name##suffix(const word a, const word b, bool *const is_a) {                \
        *is_a = a sign b;                                                                          \
        return *is_a ? a : b;                                                                      \
    }                                                                                              \
    static inline unsigned name##half_suffix(const unsigned a, const unsigned b,                   \
                                             bool *const is_a_high, bool *const is_a_low) {        \
        *is_a_high = (half)(a >> 16) sign(half)(b >> 16);                                          \
        *is_a_low = (half)a sign(half) b;                                                          \
        return ((*is_a_high ? a : b) & 0xffff0000u) | ((*is_a_low ? a : b) & 0xffffu);             \
    }
CUDACPU_DPX_WHICH(__vibmax, _s32, int, _s16x2, short, >=)
CUDACPU_DPX_WHICH(__vibmax, _u32, unsigned, _u16x2, unsigned short, >=)
CUDACPU_DPX_WHICH(__vibmin, _s32, int, _s16x2, short, <=)
CUDACPU_DPX_WHICH(__vibmin, _u32, unsigned, _u16x2, unsigned short, <=)
#undef CUDACPU_DPX_WHICH
#endif
