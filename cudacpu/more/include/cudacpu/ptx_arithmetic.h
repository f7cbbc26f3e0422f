/* ptx_arithmetic.h - the rarer arithmetic of PTX for which C++ has no operator: bits, high halves
 * of products, carries, pairs of halves; and a warp's products of floats. */
#ifndef CUDACPU_PTX_ARITHMETIC_H
#define CUDACPU_PTX_ARITHMETIC_H
#include "cudacpu/ptx_scalar.h"
#include <type_traits>

namespace cudacpu::ptx {

/* mma.sync.aligned.m16n8: d = a b + c in float (more/mma_floats.cpp). k 8 or 16 of F16 or BF16, or
 * 8 of TF32; and with sums of F16, which are rounded from those of float. */
void mma_sync_floats(unsigned k, element type, uint32_t *d, const uint32_t *a, const uint32_t *b,
                     const uint32_t *c, const site *where);
void mma_sync_half(unsigned k, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                   const site *where);

template <class T> T high_product(T a, T b) {
    typedef std::conditional_t<
        sizeof(T) == 8, std::conditional_t<std::is_signed<T>::value, __int128, unsigned __int128>,
        std::conditional_t<std::is_signed<T>::value, int64_t, uint64_t>>
        wide;
    return (T)((wide)a * (wide)b >> 8 * sizeof(T));
}
/* a + b (+ the carry); sets: keeps the carry. */
template <class T> T add_carry(T a, T b, bool adds, bool sets) {
    const T part = a + b, sum = part + (adds && get_carry());
    if (sets)
        set_carry(part < a || sum < part);
    return sum;
}
template <class T> T subtract_borrow(T a, T b, bool takes, bool sets) {
    const T part = a - b, rest = part - (takes && get_carry());
    if (sets)
        set_carry(part > a || rest > part);
    return rest;
}
/* Bit i of the result is bit 4 a + 2 b + c of the table. */
inline uint32_t look_up(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t result = 0;
    for (unsigned i = 0; i < 8; i++)
        if (table >> i & 1)
            result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}
/* length bits of a from position on; of a signed one beyond the last bit: its sign. */
template <class T> T extract_bits(T a, uint32_t position, uint32_t length) {
    const uint32_t bits = 8 * sizeof(T), from = position & 255, count = length & 255;
    if (count == 0)
        return 0;
    const uint32_t top = from + count - 1 < bits ? from + count - 1 : bits - 1;
    const bool sign = std::is_signed<T>::value && a >> top & 1;
    T result = sign ? (T)-1 : (T)0;
    for (uint32_t i = 0; i < count && i < bits; i++) {
        const bool bit = from + i < bits ? a >> (from + i) & 1 : sign;
        result = (T)((result & ~((T)1 << i)) | (T)bit << i);
    }
    return result;
}
inline uint32_t insert_bits(uint32_t a, uint32_t into, uint32_t position, uint32_t length) {
    const uint32_t from = position & 255, count = length & 255;
    for (uint32_t i = 0; i < count && from + i < 32; i++)
        into = (into & ~(1u << (from + i))) | (a >> i & 1) << (from + i);
    return into;
}
inline uint32_t pack_halves(float high, float low) {
    return (uint32_t)half_bits(high) << 16 | half_bits(low);
}
inline uint32_t pack_bfloats(float high, float low) {
    return (uint32_t)bfloat16_bits(high) << 16 | bfloat16_bits(low);
}
/* f of both halves, in double, rounded once. */
template <class F> uint32_t by_halves(uint32_t a, uint32_t b, uint32_t c, F f) {
    uint32_t result = 0;
    for (int i = 0; i < 32; i += 16)
        result |=
            (uint32_t)half_bits(f(half_value((uint16_t)(a >> i)), half_value((uint16_t)(b >> i)),
                                  half_value((uint16_t)(c >> i))))
            << i;
    return result;
}

} // namespace cudacpu::ptx
#endif
