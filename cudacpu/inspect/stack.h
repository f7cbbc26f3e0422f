/* stack.h - what lies on a thread's stack: red zones around its local arrays, and variables that
 * nobody has set. These the compiler fills with a pattern (-ftrivial-auto-var-init), which a read
 * of the stack finds, or a store brings to memory. */
#ifndef CUDACPU_INSPECT_STACK_H
#define CUDACPU_INSPECT_STACK_H
#include "access_log.h"
#include "observed.h"
#include <cstring>

namespace cudacpu::inspect {

__attribute__((cold)) void record_beside_array(const observed_worker *w, const instruction *s,
                                               uintptr_t address);

/* An access to a stack: a fault in a red zone, and true. */
inline __attribute__((always_inline)) bool
check_local_arrays(const observed_worker *w, const instruction *s, uintptr_t address) {
    const uintptr_t offset = address - (uintptr_t)w->stacks;
    if (__builtin_expect(offset >= w->stacks_bytes || !w->red_zones[offset / 4], 1))
        return false;
    record_beside_array(w, s, address);
    return true;
}

const uint32_t PATTERN = 0xfefefefe;

inline bool holds_pattern(uintptr_t address, unsigned size) {
    uint32_t word = 0;
    if (size >= sizeof word)
        memcpy(&word, (const void *)address, sizeof word);
    return __builtin_expect(word == PATTERN, 0);
}

/* A read found the pattern; what the last store brought is the pattern. */
__attribute__((cold)) void note_unset_read(const observed_worker *w, const instruction *s,
                                           uintptr_t address);
__attribute__((cold)) void note_unset_store(const observed_worker *w);

/* Before anything else happens in the block: the last store is done. */
inline void check_stored(observed_worker *w) {
    const auto &stored = w->stored;
    if (stored.address && stored.is_single && holds_pattern(stored.address, stored.size))
        note_unset_store(w);
}

} // namespace cudacpu::inspect
#endif
