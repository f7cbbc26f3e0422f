/* unset.h - variables of a kernel that nobody has set: the compiler fills them with a pattern
 * (-ftrivial-auto-var-init), which a read of the stack finds, or a store brings to memory. */
#ifndef CUDACPU_INSPECT_UNSET_H
#define CUDACPU_INSPECT_UNSET_H
#include "access_log.h"
#include "observed_worker.h"
#include <cstring>

namespace cudacpu::inspect {

inline bool holds_pattern(uintptr_t address, unsigned size) {
    uint32_t word = 0;
    if (size >= sizeof word)
        memcpy(&word, (const void *)address, sizeof word);
    return __builtin_expect(word == 0xfefefefe, 0);
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
