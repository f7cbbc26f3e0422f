/* warp.h - warp functions: shuffles, votes, reductions. */
#ifndef CUDACPU_WARP_H
#define CUDACPU_WARP_H
#include "cudacpu/site.h"
#include <cstdint>
#include <cstring>

namespace cudacpu {

enum warp_operation {
    WARP_SYNC,
    WARP_SHUFFLE,
    WARP_SLIDE, /* a shuffle up or down: at the end lanes ask past it and ignore what they get */
    WARP_BALLOT,
    WARP_MATCH,
    WARP_ADD,
    WARP_MIN,
    WARP_MAX,
    WARP_AND,
    WARP_OR,
    WARP_XOR
};

uint64_t warp(unsigned mask, warp_operation operation, uint64_t value, int source, const char *file,
              int line);
/* The lanes of the running thread's warp that come to this place together: waits until all others
 * of the block have ended or wait too, so no lane that could still come is missing. */
unsigned converged_mask(const site *where);
inline unsigned converged_lanes(const char *file, int line) {
    const site where(file, line);
    return converged_mask(&where);
}
unsigned present_lanes(); /* have not ended */
int lane();

template <class T>
T shuffle(warp_operation how, unsigned mask, T value, int source, bool inside, const char *file,
          int line) {
    static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = warp(mask, how, bits, inside ? source : lane(), file, line);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

} // namespace cudacpu

static inline void __syncwarp(unsigned mask = 0xffffffffu, CUDACPU_SITE) {
    ::cudacpu::warp(mask, ::cudacpu::WARP_SYNC, 0, 0, file, line);
}
template <class T> T __shfl_sync(unsigned mask, T value, int source, int width = 32, CUDACPU_SITE) {
    int base = ::cudacpu::lane() & ~(width - 1);
    return ::cudacpu::shuffle(::cudacpu::WARP_SHUFFLE, mask, value, base + (source & (width - 1)),
                              true, file, line);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, CUDACPU_SITE) {
    int source = ::cudacpu::lane() - (int)delta, base = ::cudacpu::lane() & ~(width - 1);
    return ::cudacpu::shuffle(::cudacpu::WARP_SLIDE, mask, value, source, source >= base, file,
                              line);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, CUDACPU_SITE) {
    int source = ::cudacpu::lane() + (int)delta, end = (::cudacpu::lane() & ~(width - 1)) + width;
    return ::cudacpu::shuffle(::cudacpu::WARP_SLIDE, mask, value, source, source < end, file, line);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, CUDACPU_SITE) {
    int source = ::cudacpu::lane() ^ lanes, end = (::cudacpu::lane() & ~(width - 1)) + width;
    return ::cudacpu::shuffle(::cudacpu::WARP_SHUFFLE, mask, value, source, source < end, file,
                              line);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate, CUDACPU_SITE) {
    return (unsigned)::cudacpu::warp(mask, ::cudacpu::WARP_BALLOT, predicate != 0, 0, file, line);
}
static inline int __any_sync(unsigned mask, int predicate, CUDACPU_SITE) {
    return __ballot_sync(mask, predicate, file, line) != 0;
}
static inline int __all_sync(unsigned mask, int predicate, CUDACPU_SITE) {
    return __ballot_sync(mask, !predicate, file, line) == 0;
}
/* Is it zero for all or for none? */
static inline int __uni_sync(unsigned mask, int predicate, CUDACPU_SITE) {
    const unsigned those = __ballot_sync(mask, predicate, file, line);
    return those == 0 || those == __ballot_sync(mask, 1, file, line);
}
/* A place of its own each, also of two in one line; a lambda, which may be a default argument. */
#define __activemask()                                                                             \
    ([] {                                                                                          \
        static const ::cudacpu::site cudacpu_here = {__FILE__, __LINE__, __COUNTER__ + 1};         \
        return ::cudacpu::converged_mask(&cudacpu_here);                                           \
    }())
template <class T> unsigned __match_any_sync(unsigned mask, T value, CUDACPU_SITE) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return (unsigned)::cudacpu::warp(mask, ::cudacpu::WARP_MATCH, bits, 0, file, line);
}
#define CUDACPU_WARP_REDUCE(name, operation)                                                       \
    static inline unsigned name(unsigned mask, unsigned value, CUDACPU_SITE) {                     \
        return (unsigned)::cudacpu::warp(mask, ::cudacpu::operation, value, 0, file, line);        \
    }
CUDACPU_WARP_REDUCE(__reduce_add_sync, WARP_ADD)
CUDACPU_WARP_REDUCE(__reduce_min_sync, WARP_MIN)
CUDACPU_WARP_REDUCE(__reduce_max_sync, WARP_MAX)
CUDACPU_WARP_REDUCE(__reduce_and_sync, WARP_AND)
CUDACPU_WARP_REDUCE(__reduce_or_sync, WARP_OR)
CUDACPU_WARP_REDUCE(__reduce_xor_sync, WARP_XOR)
#undef CUDACPU_WARP_REDUCE
/* Of int: with the sign bit turned, unsigned order is signed order. */
#define CUDACPU_WARP_REDUCE(name, turned)                                                          \
    static inline int name(unsigned mask, int value, CUDACPU_SITE) {                               \
        return (int)(name(mask, (unsigned)value ^ turned, file, line) ^ turned);                   \
    }
CUDACPU_WARP_REDUCE(__reduce_add_sync, 0u)
CUDACPU_WARP_REDUCE(__reduce_min_sync, 0x80000000u)
CUDACPU_WARP_REDUCE(__reduce_max_sync, 0x80000000u)
#undef CUDACPU_WARP_REDUCE
template <class T> unsigned __match_all_sync(unsigned mask, T value, int *all, CUDACPU_SITE) {
    const unsigned alike = __match_any_sync(mask, value, file, line);
    *all = __all_sync(mask, alike == (mask & ::cudacpu::present_lanes()), file, line);
    return *all ? mask : 0;
}

/* Those of before CUDA 9: of the lanes that come to the call together. */
#define CUDACPU_OLD_SHUFFLE(name, type)                                                            \
    template <class T> T name(T value, type of, int width = 32, CUDACPU_SITE) {                    \
        return name##_sync(::cudacpu::converged_lanes(file, line), value, of, width, file, line);  \
    }
CUDACPU_OLD_SHUFFLE(__shfl, int)
CUDACPU_OLD_SHUFFLE(__shfl_up, unsigned)
CUDACPU_OLD_SHUFFLE(__shfl_down, unsigned)
CUDACPU_OLD_SHUFFLE(__shfl_xor, int)
#undef CUDACPU_OLD_SHUFFLE
static inline unsigned __ballot(int predicate, CUDACPU_SITE) {
    return __ballot_sync(::cudacpu::converged_lanes(file, line), predicate, file, line);
}
static inline int __any(int predicate, CUDACPU_SITE) {
    return __any_sync(::cudacpu::converged_lanes(file, line), predicate, file, line);
}
static inline int __all(int predicate, CUDACPU_SITE) {
    return __all_sync(::cudacpu::converged_lanes(file, line), predicate, file, line);
}
#endif
