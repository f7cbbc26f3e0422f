/* lanes.cpp - which lanes of a warp are together: __activemask() and coalesced_threads(), the lanes
 * that have converged at a place; and CUDACPU_WARP=lockstep, where they execute stores through
 * volatile pointers together, as on cards before Volta. And what is said of wmma's matrices,
 * where an address lies, and grid.sync(). */
#include "cudacpu/groups.h"
#include "cudacpu/lockstep.h"
#include "cudacpu/ptx.h"
#include "runtime/host/machine.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/faults.h"
#include "runtime/scheduler/shared_window.h"
#include "runtime/scheduler/worker.h"
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

unsigned converged_mask(const site *where) {
    find_fiber(where);
    arrival *const a = &arrivals[cudacpu_current->thread];
    *a = {where, 0, 0};
    wait_until(form_group, a, where, describe_coalesced);
    a->block = 0;
    return a->mask;
}

/* ---- lockstep ---- */

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
    const char *const why = "same warp: __syncwarp() is missing before this store; right on cards "
                            "before Volta, which CUDACPU_WARP=lockstep imitates, by luck since";
    tell(&observer::fault, "missing __syncwarp", where->file, where->line, why);
    if (!follows_accesses)
        say("warning: kernel ", w->launch->what->name, ": ", *where, ": ", why);
}

/* ---- memory and matrices that a kernel asks about ---- */

void fail_fragment(const char *kind, const char *why, const char *file, int line) {
    fail_thread(kind, CUDACPU_HERE, "wmma ", why);
    abort_block();
    __builtin_unreachable();
}

void fail_matrix(const void *p, size_t row_bytes, unsigned bytes, unsigned apart, const char *file,
                 int line) {
    const std::string rest = std::to_string((uintptr_t)p % bytes);
    const std::string why =
        rest != "0" ? text("wants this matrix at a multiple of ", bytes, " bytes: it begins ", rest,
                           " bytes after one")
                    : text("wants this matrix's rows (columns, where it is stored by columns) a "
                           "multiple of ",
                           apart, " bytes apart, not ", row_bytes);
    fail_fragment("misaligned address", why.c_str(), file, line);
}

bool is_warp_whole() {
    return !cudacpu_current || cudacpu_current->thread / 32 < self->threads / 32;
}

bool is_shared(const void *p) { return cudacpu_current && in_shared_memory(self, p); }
bool is_local(const void *p) {
    return cudacpu_current && (size_t)((const char *)p - self->stacks) < stacks_bytes();
}

/* ---- grid.sync(): the barrier of a cooperative launch's only cluster ---- */

bool is_cooperative() { return self && self->launch && self->launch->what->cooperative; }

void sync_grid(const site *where) {
    find_fiber(where);
    if (!is_cooperative())
        fail_thread("wrong barrier", where,
                    "grid.sync() in a kernel that <<<>>> launched: cudaLaunchCooperativeKernel "
                    "launches one whose blocks wait for each other");
    ptx::cluster_arrive(where);
    ptx::cluster_wait(where);
}

} // namespace cudacpu
