/* half_bits.h - the bits of floating-point numbers of 16 bits, from and to double: of __half (5
 * bits of exponent, 10 of fraction) and of __nv_bfloat16 (8 and 7). In integers, as not every
 * compiler and target has such types. */
#ifndef CUDACPU_HALF_BITS_H
#define CUDACPU_HALF_BITS_H
#include <cstdint>
#include <cstring>

namespace cudacpu {

enum class rounding { to_nearest_even, to_zero, up, down };

template <class to, class from> inline to bits_as(from value) {
    static_assert(sizeof(to) == sizeof(from), "bits are not converted");
    to result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

/* Rounds once. Every NaN becomes 0x7fff, as on a GPU. A float converts to double exactly. */
template <int EXPONENT, int FRACTION> uint16_t round_to_bits(double x, rounding mode) {
    const uint64_t bits = bits_as<uint64_t>(x), infinity = 0x7ff0000000000000,
                   magnitude = bits & ~(uint64_t)0 >> 1;
    const uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    const int bias = (1 << (EXPONENT - 1)) - 1;
    const uint16_t result_infinity = (uint16_t)(((1 << EXPONENT) - 1) << FRACTION);
    if (magnitude > infinity)
        return 0x7fff;
    if (magnitude == infinity)
        return sign | result_infinity;
    const bool away =
        mode == (sign ? rounding::down : rounding::up); /* from zero, when not exact */
    const int exponent = (int)(magnitude >> 52) - 1023;
    if (exponent > bias)
        return sign |
               (uint16_t)(result_infinity - (away || mode == rounding::to_nearest_even ? 0 : 1));

    uint64_t fraction = magnitude & 0xfffffffffffff;
    if (exponent > -1023)
        fraction |= (uint64_t)1 << 52;
    int drop = 52 - FRACTION; /* that many bits */
    if (exponent < 1 - bias)
        drop += 1 - bias - exponent; /* subnormal */
    if (drop > 54)
        drop = 54; /* less than half of the smallest number */
    uint64_t kept = fraction >> drop;
    const uint64_t rest = fraction - (kept << drop), half = (uint64_t)1 << (drop - 1);
    if (mode == rounding::to_nearest_even ? rest > half || (rest == half && kept & 1)
                                          : away && rest)
        kept++; /* a carry goes on into the exponent, up to infinity */
    if (exponent > 1 - bias)
        kept += (uint64_t)(exponent - (1 - bias)) << FRACTION;
    return (uint16_t)(sign | kept);
}

inline uint16_t half_bits(double x, rounding mode = rounding::to_nearest_even) {
    return round_to_bits<5, 10>(x, mode);
}
inline uint16_t bfloat16_bits(double x, rounding mode = rounding::to_nearest_even) {
    return round_to_bits<8, 7>(x, mode);
}

/* Without branches, so that loops over it vectorise. A NaN becomes 0x7fffffff, as on a GPU. */
inline float half_value(uint16_t bits) {
    const uint32_t magnitude = (uint32_t)(bits & 0x7fff) << 13, infinity = 0x0f800000,
                   sign = (uint32_t)(bits & 0x8000) << 16;
    /* The exponent's bias is smaller by 112; a product does for subnormals, too. */
    const uint32_t finite = bits_as<uint32_t>(bits_as<float>(magnitude) * 0x1p112f);
    const uint32_t no_number = 0u - (uint32_t)(magnitude >= infinity),
                   nan = 0u - (uint32_t)(magnitude > infinity);
    return bits_as<float>(finite | (no_number & 0x7f800000) | (nan & 0x7fffffff) | (sign & ~nan));
}
inline float bfloat16_value(uint16_t bits) { return bits_as<float>((uint32_t)bits << 16); }

} // namespace cudacpu
#endif
