/* ptx_operands.h - the operands of an asm statement: what each constraint takes, and their bits. */
#ifndef CUDACPU_PTX_OPERANDS_H
#define CUDACPU_PTX_OPERANDS_H
#include <cstdint>
#include <type_traits>

namespace cudacpu::ptx {

/* As nvcc: the size must be the constraint's, and a float is no integer. */
template <char constraint, class T, class V = std::remove_cv_t<std::remove_reference_t<T>>>
inline constexpr bool fits = constraint == 'f'   ? std::is_same<V, float>::value
                             : constraint == 'd' ? std::is_same<V, double>::value
                             : constraint == 'n'
                                 ? std::is_integral<V>::value || std::is_enum<V>::value
                                 : (std::is_integral<V>::value || std::is_enum<V>::value ||
                                    (std::is_pointer<V>::value && constraint == 'l')) &&
                                       sizeof(V) == (constraint == 'h'   ? 2
                                                     : constraint == 'r' ? 4
                                                                         : 8);

template <unsigned bytes>
using unsigned_of =
    std::conditional_t<bytes == 8, uint64_t, std::conditional_t<bytes == 4, uint32_t, uint16_t>>;
template <char constraint>
using bits_of = unsigned_of<constraint == 'l' || constraint == 'd' ? 8
                            : constraint == 'h'                    ? 2
                                                                   : 4>;

template <class T> inline __attribute__((always_inline)) auto bits(T value) {
    if constexpr (std::is_floating_point<T>::value) {
        unsigned_of<sizeof(T)> result;
        __builtin_memcpy(&result, &value, sizeof result);
        return result;
    } else if constexpr (std::is_pointer<T>::value) {
        return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(value));
    } else {
        return static_cast<unsigned_of<sizeof(T)>>(value);
    }
}

template <class B> inline __attribute__((always_inline)) auto as_float(B bits) {
    std::conditional_t<sizeof(B) == 8, double, float> value;
    static_assert(sizeof value == sizeof bits, "a float has 32 or 64 bits");
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/* T: of the operand, a reference. */
template <class T, class B> inline __attribute__((always_inline)) auto from_bits(B bits) {
    using value = std::remove_cv_t<std::remove_reference_t<T>>;
    if constexpr (std::is_floating_point<value>::value)
        return as_float(bits);
    else if constexpr (std::is_pointer<value>::value)
        return reinterpret_cast<value>(static_cast<uintptr_t>(bits));
    else
        return static_cast<value>(bits);
}

/* prmt: four bytes of a and b, chosen by the digits of selector; 8 more: their sign instead. */
static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t selector) {
    const uint64_t bytes = static_cast<uint64_t>(b) << 32 | a;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned digit = selector >> 4 * i & 15;
        uint32_t byte = static_cast<uint32_t>(bytes >> 8 * (digit & 7)) & 255;
        if (digit & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    return result;
}

} // namespace cudacpu::ptx
#endif
