/* coalesced.cpp - __activemask() and coalesced_threads(): which lanes of a warp come to a place
 * together. */
#include "cudacpu/groups.h"
#include "runtime/scheduler/block.h"

namespace cudacpu {
namespace {

struct arrival {
    const site *where;
    unsigned mask;  /* 0 until the group is formed */
    uint64_t block; /* of the worker's blocks, the one in which it waits; 0: it does not wait */
};
thread_local arrival arrivals[MAX_THREADS];

/* Asked when all threads of the block wait or have ended: those of the warp that have come to this
 * place are the group, unless others are at a place before it: as on a GPU, where lanes diverged
 * they come together again before they go on. But the first to ask is the thread itself, before it
 * waits. */
bool form_group(void *argument) {
    arrival *const a = static_cast<arrival *>(argument);
    if (!a->block) {
        a->block = self->blocks_begun;
        return false;
    }
    arrival *const warp = arrivals + ((a - arrivals) & ~31);
    unsigned mask = 0;
    const unsigned first = (unsigned)(warp - arrivals);
    for (unsigned l = 0; l < 32 && !a->mask; l++) {
        if (is_complete_call(self, first + l) &&
            comes_first(self->by_thread[first + l]->where, a->where))
            return false;
        if (warp[l].block != a->block || warp[l].mask)
            continue;
        if (comes_first(warp[l].where, a->where))
            return false;
        if (same_place(warp[l].where, a->where))
            mask |= 1u << l;
    }
    for (unsigned l = 0; l < 32; l++)
        if (mask >> l & 1)
            warp[l].mask = mask;
    return true;
}

std::string describe_coalesced(void *) { return "the coalesced threads of its warp"; }

} // namespace

unsigned converged_mask(const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    arrival *const a = &arrivals[cudacpu_current->thread];
    *a = {where, 0, 0};
    wait_until(form_group, a, where, describe_coalesced);
    a->block = 0;
    return a->mask;
}

} // namespace cudacpu
