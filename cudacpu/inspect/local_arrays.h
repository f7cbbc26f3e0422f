/* local_arrays.h - red zones around a thread's local arrays, which lie on its stack. */
#ifndef CUDACPU_INSPECT_LOCAL_ARRAYS_H
#define CUDACPU_INSPECT_LOCAL_ARRAYS_H
#include "access_log.h"
#include "observed_worker.h"

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

} // namespace cudacpu::inspect
#endif
