/* packed_integers.h - functions of a word as four bytes or two halfwords: __vadd4 and its kin; and
 * products of halfwords with bytes. */
#ifndef CUDACPU_PACKED_INTEGERS_H
#define CUDACPU_PACKED_INTEGERS_H
#include "cudacpu/arithmetic.h"
#include <limits>

namespace cudacpu {
template <class T> inline int saturate_to(int a) {
    const int least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    return a < least ? least : a > most ? most : a;
}
} // namespace cudacpu

#define CUDACPU_PACKED(name, type, expression)                                                     \
    static inline unsigned name(unsigned first, unsigned second) {                                 \
        typedef type T;                                                                            \
        return ::cudacpu::by_elements<T>(first, second, [](int a, int b) { return expression; });  \
    }
/* what, with the suffix s or u for signed and unsigned elements */
#define CUDACPU_PACKED_SIGNS(name, suffix, expression)                                             \
    CUDACPU_PACKED(name##s##suffix##2, short, expression)                                          \
    CUDACPU_PACKED(name##s##suffix##4, signed char, expression)                                    \
    CUDACPU_PACKED(name##u##suffix##2, unsigned short, expression)                                 \
    CUDACPU_PACKED(name##u##suffix##4, unsigned char, expression)
#define CUDACPU_PACKED_ANY(name, expression)                                                       \
    CUDACPU_PACKED(name##2, unsigned short, expression)                                            \
    CUDACPU_PACKED(name##4, unsigned char, expression)
CUDACPU_PACKED_ANY(__vadd, a + b)
CUDACPU_PACKED_ANY(__vsub, a - b)
CUDACPU_PACKED_ANY(__vcmpeq, a == b ? -1 : 0)
CUDACPU_PACKED_ANY(__vcmpne, a != b ? -1 : 0)
CUDACPU_PACKED_ANY(__vseteq, a == b)
CUDACPU_PACKED_ANY(__vsetne, a != b)
CUDACPU_PACKED_SIGNS(__vadd, s, ::cudacpu::saturate_to<T>(a + b))
CUDACPU_PACKED_SIGNS(__vsub, s, ::cudacpu::saturate_to<T>(a - b))
CUDACPU_PACKED_SIGNS(__vmax, , a < b ? b : a)
CUDACPU_PACKED_SIGNS(__vmin, , b < a ? b : a)
/* __vabsdiffs4 is the core's */
CUDACPU_PACKED(__vabsdiffs2, short, a < b ? b - a : a - b)
CUDACPU_PACKED(__vabsdiffu2, unsigned short, a < b ? b - a : a - b)
CUDACPU_PACKED(__vabsdiffu4, unsigned char, a < b ? b - a : a - b)
CUDACPU_PACKED_SIGNS(__vavg, , (a + b + 1) >> 1)
CUDACPU_PACKED_SIGNS(__vcmpgt, , a > b ? -1 : 0)
CUDACPU_PACKED_SIGNS(__vcmpge, , a >= b ? -1 : 0)
CUDACPU_PACKED_SIGNS(__vcmplt, , a < b ? -1 : 0)
CUDACPU_PACKED_SIGNS(__vcmple, , a <= b ? -1 : 0)
CUDACPU_PACKED_SIGNS(__vsetgt, , a > b)
CUDACPU_PACKED_SIGNS(__vsetlt, , a < b)
CUDACPU_PACKED_SIGNS(__vsetge, , a >= b)
CUDACPU_PACKED_SIGNS(__vsetle, , a <= b)
CUDACPU_PACKED(__vhaddu2, unsigned short, (a + b) >> 1)
CUDACPU_PACKED(__vhaddu4, unsigned char, (a + b) >> 1)
#undef CUDACPU_PACKED_ANY
#undef CUDACPU_PACKED_SIGNS
#undef CUDACPU_PACKED
static inline unsigned __vneg2(unsigned a) { return __vsub2(0, a); }
static inline unsigned __vneg4(unsigned a) { return __vsub4(0, a); }
static inline unsigned __vabs2(unsigned a) { return __vabsdiffs2(a, 0); }
static inline unsigned __vsadu4(unsigned a, unsigned b) {
    unsigned sum = 0;
    for (int i = 0; i < 32; i += 8)
        sum += __vabsdiffu4(a, b) >> i & 255;
    return sum;
}
static inline unsigned __vsadu2(unsigned a, unsigned b) {
    const unsigned both = __vabsdiffu2(a, b);
    return (both & 0xffff) + (both >> 16);
}
static inline unsigned __vsads2(unsigned a, unsigned b) {
    return __vsadu2(a ^ 0x80008000, b ^ 0x80008000);
}
/* The least number has no positive one: it becomes the largest. */
static inline unsigned __vnegss2(unsigned a) { return __vsubss2(0, a); }
static inline unsigned __vnegss4(unsigned a) { return __vsubss4(0, a); }
static inline unsigned __vabsss2(unsigned a) { return __vmaxs2(a, __vnegss2(a)); }
static inline unsigned __vabsss4(unsigned a) { return __vmaxs4(a, __vnegss4(a)); }
static inline unsigned __vsads4(unsigned a, unsigned b) {
    return __vsadu4(a ^ 0x80808080, b ^ 0x80808080);
}
/* Two halfwords of a with the low, or the high, two bytes of b. */
static inline int __dp2a_lo(int a, int b, int sum) {
    return sum + (short)a * (signed char)b + (a >> 16) * (signed char)(b >> 8);
}
static inline int __dp2a_hi(int a, int b, int sum) { return __dp2a_lo(a, b >> 16, sum); }
static inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned sum) {
    return sum + (a & 0xffff) * (b & 255) + (a >> 16) * (b >> 8 & 255);
}
static inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned sum) {
    return __dp2a_lo(a, b >> 16, sum);
}
#endif
