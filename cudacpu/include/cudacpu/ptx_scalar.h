/* ptx_scalar.h - PTX instructions of one thread for which C++ has no operator: addresses, atomics,
 * shuffles. */
#ifndef CUDACPU_PTX_SCALAR_H
#define CUDACPU_PTX_SCALAR_H
#include "cudacpu/atomic.h"
#include "cudacpu/half_bits.h"
#include "cudacpu/ptx.h"
#include "cudacpu/shared_address.h"
#include "cudacpu/warp.h"
#include <cmath>

namespace cudacpu::ptx {

/* The condition code's carry, or borrow: kept from one asm statement to the next. Not a variable:
 * an observer would take it for shared memory. */
bool get_carry();
void set_carry(bool carry);

inline uint32_t to_tf32(float a) {
    const uint32_t bits = bits_as<uint32_t>(a);
    return std::isfinite(a) ? (bits + 0x1000) & ~0x1fffu : bits;
}
template <class T> T *pointer_to(uint64_t generic) {
    return reinterpret_cast<T *>(static_cast<uintptr_t>(generic));
}
template <class T> T *pointer_to_shared(uint32_t address, const site *where) {
    return static_cast<T *>(from_shared(address, where));
}
/* ordered: with .acquire, .release or .acq_rel. */
template <class F> auto atomically(bool ordered, const site *where, F f) {
    if (ordered)
        fence(where);
    const auto old = f();
    if (ordered)
        fence(where);
    return old;
}
/* shfl.sync; how: its mode's first letter. *inside: whether the lane that is asked is one of the
 * segment; else the value is the thread's own. */
inline uint32_t shuffle_bits(char how, uint32_t value, uint32_t by, uint32_t clamp, uint32_t mask,
                             bool *inside, const site *where) {
    const int own = ::cudacpu::lane(), segment = (int)(clamp >> 8 & 31), last = (int)(clamp & 31),
              least = own & segment, most = least | (last & ~segment), b = (int)(by & 31);
    const int from = how == 'u'   ? own - b
                     : how == 'd' ? own + b
                     : how == 'b' ? own ^ b
                                  : least | (b & ~segment);
    const bool is_inside = how == 'u' ? from >= most : from <= most;
    if (inside)
        *inside = is_inside;
    return ::cudacpu::shuffle(how == 'u' || how == 'd' ? WARP_SLIDE : WARP_SHUFFLE, mask, value,
                              from, is_inside, where->file, where->line);
}

} // namespace cudacpu::ptx
#endif
