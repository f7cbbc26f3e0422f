/* mbarriers.cpp - follows mbarriers: whom they order, whether they were ready, their bytes. */
#include "async_operations.h"
#include "faults.h"
#include "observed.h"
#include "observer.h"
#include "recording.h"
#include "runtime/scheduler/block.h"
#include <atomic>
#include <cstring>

namespace cudacpu::inspect {
namespace {

unsigned pass_key(const observed_worker *w, unsigned thread) { return w->rank * 1024 + thread; }

/* Compares what the barrier expected with what copies bring it. */
void check_bytes(const mbarrier_record &b) {
    if (b.issued == b.expected)
        return;
    if (b.expected == 0)
        record_fault("expected bytes", b.copies,
                     text("copies bring ", b.issued,
                          " bytes to a barrier that expects none (no expect_tx)"));
    else
        record_fault("expected bytes", b.expects,
                     text("expect_tx promises the barrier ", b.expected,
                          " bytes in all, and copies (",
                          b.issued ? text("the last at ", b.copies) : "none", ") bring ", b.issued,
                          b.issued > b.expected ? ": it opens before they have all arrived"
                                                : ": who waits for it never gets on"));
}

/* The thread's last wait for the barrier that has this entry; NULL: there was none. */
const mbarrier_pass *find_pass(const observed_worker *w, unsigned thread, size_t entry) {
    for (auto &[address, b] : w->knows->barriers)
        if (const auto pass = b.passes.find(pass_key(w, thread));
            b.entry == entry && pass != b.passes.end())
            return &pass->second;
    return nullptr;
}

/* Nobody can go on: who waits for a phase although it has left out the one before? */
void record_skipped_phases(const observed_worker *w) {
    for (auto &entry : w->knows->barriers)
        for (auto &thread : entry.second.passes) {
            const mbarrier_pass &p = thread.second;
            if (p.waits_at.line && p.waits_for > p.next)
                record_fault("wrong parity", p.waits_at,
                             text("thread ", thread_name(thread.first % 1024),
                                  " waits with parity ", p.waits_for % 2, " for phase ",
                                  p.waits_for, " of the mbarrier, and has not waited for phase ",
                                  p.waits_for - 1, ", which is complete"));
        }
}

class mbarrier_events : public observer {
    std::atomic<bool> deadlocked; /* in this launch */

    void launch_begins(const kernel &, dim3, dim3) override { deadlocked = false; }
    void mbarrier_initialised(const uint64_t *barrier, const site *where) override {
        observed_worker *w = observed();
        if (!w)
            return;
        keep_knowledge(w);
        knowledge *k = w->knows;
        mbarrier_record &b = k->barriers[barrier];
        if (b.valid)
            check_bytes(b);
        size_t entry = b.entry;
        if (!b.initialised.line)
            entry = k->barrier_entry(k->barrier_count++);
        b = {true, w->rank, entry, thread_number(), w->clock, where, 0, {}, {}, 0, 0, {}, {}, {}};
        record_event("mbarrier init", where, barrier);
    }
    void mbarrier_invalidated(const uint64_t *barrier, const site *where) override {
        if (mbarrier_record *b = use_barrier(barrier, where)) {
            check_bytes(*b);
            b->valid = false;
        }
    }
    void mbarrier_waits(const uint64_t *barrier, uint64_t phase, const site *where) override {
        mbarrier_record *b = use_barrier(barrier, where);
        if (!b)
            return;
        mbarrier_pass &pass = b->passes[pass_key(this_worker, thread_number())];
        pass.waits_at = where;
        pass.waits_for = phase;
    }
    void mbarrier_passed(const uint64_t *barrier, uint64_t phase, const site *where) override {
        mbarrier_record *b = use_barrier(barrier, where);
        if (!b)
            return;
        observed_worker *w = this_worker;
        const unsigned thread = thread_number();
        record_event("pass", where, barrier,
                     {(int64_t)phase, (int64_t)((uintptr_t)barrier & 0xffffff)});
        const uint64_t next = phase + 1; /* 0: the phase before the first */
        acquire(w, thread, b->complete);
        if (next > b->phase)
            acquire(w, thread, b->arriving);
        learn_entry(w, thread, b->entry, (uint32_t)next);
        mbarrier_pass &pass = b->passes[pass_key(w, thread)];
        const bool first = !pass.at.line;
        pass = {where, next, next == 0 || (!first && next <= pass.next), {}, 0};
    }
    void mbarrier_bytes(const uint64_t *barrier, int bytes, const site *where) override {
        mbarrier_record *b = use_barrier(barrier, where);
        if (!b)
            return;
        if (bytes > 0) {
            b->expected += (unsigned)bytes;
            b->expects = where;
            record_event("expect", where, barrier, {bytes});
        } else {
            b->issued += (unsigned)-bytes;
            b->copies = where;
        }
    }
    void mbarrier_arrived(const uint64_t *barrier, uint64_t phase, const site *where) override {
        note_arrival(barrier, phase, where);
    }
    void fault(const char *kind, const char *, int, const char *) override {
        const observed_worker *w = observed();
        if (!w || strcmp(kind, "deadlock") != 0)
            return;
        deadlocked = true;
        record_skipped_phases(w);
    }
    /* Bytes that were expected and did not come, and the other way round. */
    void block_ends() override {
        const observed_worker *w = this_worker;
        if (!w->knows->active || (self->aborted && !deadlocked))
            return;
        for (auto &entry : w->knows->barriers)
            if (entry.second.valid && entry.second.rank == w->rank)
                check_bytes(entry.second);
    }
};

} // namespace

mbarrier_record *use_barrier(const uint64_t *barrier, const site *where) {
    observed_worker *w = observed();
    if (!w)
        return nullptr;
    knowledge *k = w->knows;
    auto found = k->barriers.find(barrier);
    if (found == k->barriers.end() || !found->second.valid)
        return nullptr;
    mbarrier_record &b = found->second;
    const uint64_t block = k->number[b.rank];
    if (!knows(w, thread_number(), block, b.thread, b.clock))
        record_fault("wrong mbarrier", where,
                     text("uses an mbarrier that thread ", thread_name(b.thread), " of block ",
                          block_name(block), " initialises at ", b.initialised,
                          ", and no barrier lies between"));
    else if (b.rank != w->rank && k->worker[b.rank]->async->init_fence[b.thread] <= b.clock)
        record_fault("missing fence", where,
                     text("uses an mbarrier of block ", block_name(block), ", initialised at ",
                          b.initialised,
                          " without a fence.mbarrier_init for the cluster after it"));
    return &b;
}

void check_fenced(const observed_worker *w, const mbarrier_record &b, const site *where) {
    if (b.rank == w->rank && w->async->init_fence[b.thread] <= b.clock &&
        w->async->proxy_fence[b.thread] <= b.clock)
        record_fault("missing fence", where,
                     text("the copy counts its bytes in an mbarrier that is initialised at ",
                          b.initialised,
                          " without a fence.mbarrier_init or fence.proxy.async after it"));
}

void note_arrival(const uint64_t *barrier, uint64_t phase, const site *where) {
    mbarrier_record *b = use_barrier(barrier, where);
    if (!b)
        return;
    if (phase > b->phase) {
        join(b->complete, b->arriving);
        b->arriving.clear();
        b->phase = phase;
    }
    release(this_worker, thread_number(), b->arriving);
    record_event("arrive", where, barrier, {(int64_t)phase});
}

void record_wrong_parity(observed_worker *w, unsigned thread, const async_operation &o,
                         const std::string &other) {
    const mbarrier_pass *pass = find_pass(w, thread, o.entry);
    if (pass && pass->again && pass->next <= o.phase)
        record_fault("wrong parity", pass->at,
                     text("this wait passes at once: its parity is that of the phase before; ",
                          other, " is counted by phase ", o.phase, ", which has parity ",
                          o.phase % 2));
}

bool was_overwritten(const observed_worker *w, unsigned thread, const async_operation &o) {
    const mbarrier_pass *pass = find_pass(w, thread, o.entry);
    return pass && pass->next && pass->next <= o.phase && !pass->again;
}

observer &mbarriers() { return only<mbarrier_events>(); }

} // namespace cudacpu::inspect
