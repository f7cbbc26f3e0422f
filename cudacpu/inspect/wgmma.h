/* wgmma.h - the registers that wgmma uses while it is on its way, a thread's sums, which lie on its
 * stack; and the matrices that it reads from shared memory. */
#ifndef CUDACPU_INSPECT_WGMMA_H
#define CUDACPU_INSPECT_WGMMA_H
#include "access_log.h"
#include "places.h"
#include "runtime/host/observer.h"
#include <deque>
#include <map>

namespace cudacpu::inspect {

/* Groups of wgmma have numbers, ascending over all threads and blocks of the worker. */
struct register_state {
    uint32_t *group;   /* of each word of the stacks: the last group that writes it */
    uint32_t *written; /* the clock at which the program last wrote it */
    uint32_t last_group = 0;
    struct {
        uint32_t open, done, fence; /* 0: no group is open; clock of the last wgmma.fence */
        std::deque<uint32_t> committed;
    } thread[1024];
    std::map<uint32_t, place> issued; /* in this block: where each group begins */
};

/* Of an access to the stacks: no wgmma has ever written there. Then a write is noted, and that is
 * all. */
inline __attribute__((always_inline)) bool has_no_sums(observed_worker *w, uintptr_t offset,
                                                       unsigned size, bool write) {
    register_state *r = w->registers;
    uint32_t groups = 0;
    for (unsigned at = 0; at < size; at += 4)
        groups |= r->group[(offset + at) / 4];
    for (unsigned at = 0; at < size && write && !groups; at += 4)
        r->written[(offset + at) / 4] = w->clock;
    return !groups;
}

/* An access to a stack: a fault where a wgmma that the thread has not waited for still writes. */
void check_registers(observed_worker *w, const instruction *s, uintptr_t address, unsigned size);

} // namespace cudacpu::inspect
#endif
