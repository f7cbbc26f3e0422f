/* lockstep.h - a store through a volatile pointer: what cpucc makes of s[t] += s[t + 16]. Programs
 * for the cards before Volta use it between the lanes of a warp without __syncwarp(): there, all
 * lanes executed an instruction together. CUDACPU_WARP=lockstep does the same. */
#ifndef CUDACPU_LOCKSTEP_H
#define CUDACPU_LOCKSTEP_H
#include "cudacpu/keywords.h"
#include "cudacpu/site.h"
#include <type_traits>

namespace cudacpu {

/* All lanes come here before one goes on, if CUDACPU_WARP says so; else, where nothing
 * synchronised since the store before, says so once. */
void keep_step(const site *where, bool unsynchronised);

template <class T> struct volatile_place {
    volatile T *place;
    site where;
    bool unsynchronised;

    /* The value has been computed: all lanes have read what they need of others. */
    __forceinline__ void operator=(T value) const {
        keep_step(&where, unsynchronised);
        *place = value;
        keep_step(&where, false);
    }
/* Of a type of its own on the right: an int *= 1.5 is a product of doubles. */
#define CUDACPU_ASSIGN(sign)                                                                       \
    template <class U = T> __forceinline__ void operator sign##=(U value) const {                  \
        *this = (T)(*place sign value);                                                            \
    }
    CUDACPU_ASSIGN(+)
    CUDACPU_ASSIGN(-)
    CUDACPU_ASSIGN(*)
    CUDACPU_ASSIGN(/)
    CUDACPU_ASSIGN(&)
    CUDACPU_ASSIGN(|)
    CUDACPU_ASSIGN(^)
    CUDACPU_ASSIGN(%)
    CUDACPU_ASSIGN(<<)
    CUDACPU_ASSIGN(>>)
#undef CUDACPU_ASSIGN
};

template <class T>
__forceinline__ typename std::enable_if<std::is_arithmetic<T>::value, volatile_place<T>>::type
in_step(volatile T &place, bool unsynchronised, CUDACPU_SITE) {
    return {&place, {file, line}, unsynchronised};
}
template <class T>
__forceinline__ typename std::enable_if<!std::is_arithmetic<T>::value, volatile T &>::type
in_step(volatile T &place, bool) {
    return place;
}

} // namespace cudacpu
#endif
