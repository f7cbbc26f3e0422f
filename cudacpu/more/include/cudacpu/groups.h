/* groups.h - what cooperative groups need of the runtime. */
#ifndef CUDACPU_GROUPS_H
#define CUDACPU_GROUPS_H
#include "cudacpu/async_copy.h"
#include "cudacpu/barrier.h"
#include "cudacpu/warp.h"
#include <type_traits>

namespace cudacpu {

/* The barrier of all blocks; ends the launch where it is not a cooperative one. */
void sync_grid(const site *where);
bool is_cooperative();
bool is_shared(const void *p); /* rare_functions.h */

/* A value of any size from a lane, in words of 8 bytes. */
template <class T>
T shuffle_words(unsigned mask, const T &value, int source, const char *file, int line) {
    static_assert(std::is_trivially_copyable<T>::value,
                  "a group passes on values that are trivially copyable");
    enum { WORDS = (sizeof(T) + 7) / 8 };
    uint64_t words[WORDS] = {};
    std::memcpy(words, &value, sizeof value);
    for (int i = 0; i < WORDS; i++)
        words[i] = shuffle(WARP_SHUFFLE, mask, words[i], source, true, file, line);
    T result = value;
    std::memcpy(static_cast<void *>(&result), words, sizeof result);
    return result;
}

/* The lane of the mask's bit number `rank`, from the lowest. */
static inline int lane_of_rank(unsigned mask, unsigned rank) {
    for (; rank > 0 && mask; rank--)
        mask &= mask - 1;
    return mask ? __builtin_ctz(mask) : 0;
}
/* Bit i of the result is that of lane lane_of_rank(mask, i). */
static inline unsigned pack_lanes(unsigned mask, unsigned bits) {
    unsigned packed = 0;
    for (int i = 0; mask; mask &= mask - 1, i++)
        packed |= (bits >> __builtin_ctz(mask) & 1) << i;
    return packed;
}
/* Of these lanes the tile in which the rank stands. */
static inline unsigned lanes_of_tile(unsigned mask, unsigned rank, unsigned count) {
    unsigned mine = 0;
    for (unsigned i = 0; mask; mask &= mask - 1, i++)
        if (i / count == rank / count)
            mine |= mask & (0u - mask);
    return mine;
}
/* One thread's share of a copy: every step-th piece of up to 16 bytes from the first one on. Pieces
 * of 16, 8 or 4 bytes to shared memory are asynchronous, as cp.async; others are done at once. */
inline void copy_share(void *to, const void *from, size_t bytes, size_t first, size_t step,
                       const site *where) {
    size_t piece = 16;
    while (piece > 1 && ((uintptr_t)to | (uintptr_t)from) % piece)
        piece /= 2;
    for (size_t at = first * piece; at < bytes; at += step * piece) {
        const size_t here = bytes - at < piece ? bytes - at : piece;
        char *const target = (char *)to + at;
        const char *const source = (const char *)from + at;
        if ((here == 16 || here == 8 || here == 4) && is_shared(to))
            copy_async(target, source, here, here, where);
        else
            for (size_t i = 0; i < here; i++)
                target[i] = source[i];
    }
}
static inline unsigned lanes_below() { return (1u << lane()) - 1; }

} // namespace cudacpu
#endif
