/* groups.h - what cooperative groups need of the runtime. */
#ifndef CUDACPU_GROUPS_H
#define CUDACPU_GROUPS_H
#include "cudacpu/barrier.h"
#include "cudacpu/warp.h"
#include <type_traits>

namespace cudacpu {

/* The barrier of all blocks; ends the launch where it is not a cooperative one. */
void sync_grid(const site *where);
bool is_cooperative();

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
static inline unsigned lanes_below() { return (1u << lane()) - 1; }

} // namespace cudacpu
#endif
