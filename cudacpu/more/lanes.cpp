/* lanes.cpp - which lanes of a warp are together: __activemask() and coalesced_threads(), the lanes
 * that have converged at a place; and CUDACPU_WARP=lockstep, where they execute stores through
 * volatile pointers together, as on cards before Volta. */
#include "cudacpu/groups.h"
#include "cudacpu/lockstep.h"
#include "runtime/host/machine.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/faults.h"
#include "runtime/scheduler/worker.h"
#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace cudacpu {

/* ---- convergence ---- */

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
    find_fiber(where);
    arrival *const a = &arrivals[cudacpu_current->thread];
    *a = {where, 0, 0};
    wait_until(form_group, a, where, describe_coalesced);
    a->block = 0;
    return a->mask;
}

/* ---- lockstep ---- */

namespace {

bool is_lockstep() {
    static const bool chosen = read_word_setting("CUDACPU_WARP", {"independent", "lockstep"});
    return chosen;
}

std::string describe_step(void *) { return "the other lanes of its warp"; }

/* Two lanes or more; of a kernel the first place, observed each place once. */
bool is_worth_a_word(const worker *w, const site *where) {
    static std::mutex one;
    static std::set<std::pair<std::string, int>> said;
    std::lock_guard<std::mutex> guard(one);
    return w->threads > 1 &&
           said.insert({w->launch->what->name, follows_accesses ? where->line : 0}).second;
}

} // namespace

void keep_step(const site *where, bool unsynchronised) {
    worker *w = self;
    if (!cudacpu_current)
        return;
    if (is_lockstep()) {
        let_others_run(nullptr, where, describe_step);
        return;
    }
    if (!unsynchronised || !is_worth_a_word(w, where))
        return;
    const char *const text = "same warp: __syncwarp() is missing before this store; right on cards "
                             "before Volta, which CUDACPU_WARP=lockstep imitates, by luck since";
    tell(&observer::fault, "missing __syncwarp", where->file, where->line, text);
    if (!follows_accesses)
        fprintf(stderr, "cudacpu: warning: kernel %s: %s:%d: %s\n", w->launch->what->name,
                where->file, where->line, text);
}

} // namespace cudacpu
