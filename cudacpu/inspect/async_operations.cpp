/* async_operations.cpp - asynchronous copies become operations, whose words have a history like
 * those of any access. */
#include "async_operations.h"
#include "access.h"
#include "knowledge.h"
#include "observed.h"
#include "observer.h"
#include "recording.h"
#include "runtime/barriers/barriers.h"
#include <cstring>

namespace cudacpu::inspect {

uint32_t add_operation(observed_worker *w, const async_operation &o) {
    w->async->operations.push_back(o);
    return (uint32_t)w->async->operations.size() - 1;
}

async_operation *find_operation(const observed_worker *w, uint64_t block, uint32_t number) {
    const int rank = w->knows->rank_of(block);
    return rank < 0 ? nullptr : &w->knows->worker[rank]->async->operations[number];
}

bool is_done(const observed_worker *w, unsigned thread, uint64_t block, const async_operation &o) {
    if (o.kind == OPERANDS) {
        const int rank = w->knows->rank_of(block);
        for (unsigned warp = o.thread / 32; warp < o.thread / 32 + 4; warp++)
            if (known_entry(w, thread, w->knows->warp_entry((unsigned)rank, warp)) <= o.phase)
                return false;
        return true;
    }
    return (o.done && knows(w, thread, block, o.thread, o.done)) ||
           (o.entry != NO_ENTRY && known_entry(w, thread, o.entry) > o.phase);
}

std::string describe_wait(const observed_worker *w, uint64_t block, const async_operation &o) {
    if (o.kind == OPERANDS)
        return "no wgmma.wait_group of all its warps lies between";
    if (o.kind == LOAD)
        return text("no wait for phase ", o.phase, " of its mbarrier lies between");
    const int rank = w->knows->rank_of(block);
    const async_state *a = w->knows->worker[rank]->async;
    const async_groups &g = a->groups[o.kind][o.thread];
    if (o.done)
        return "its thread has waited for it, and no barrier lies between";
    if (!g.waited.line)
        return "thread " + thread_name(o.thread) + " has not waited for it";
    for (const auto &group : g.groups)
        for (uint32_t number : group)
            if (&a->operations[number] == &o)
                return text("the wait at ", place(&g.waited), " leaves the newest ",
                            g.waited_newest, " groups on their way, and it is one of them");
    return "its thread has not waited for it";
}

namespace {

async_groups &groups_of(observed_worker *w, async_kind kind) {
    return w->async->groups[kind][thread_number()];
}

/* The operation that the thread's next copy belongs to. */
uint32_t open_operation(observed_worker *w, async_kind kind) {
    async_groups &g = groups_of(w, kind);
    if (g.sealed || g.groups.back().empty())
        g.groups.back().push_back(add_operation(w, {kind, thread_number(), 0, NO_ENTRY, 0}));
    g.sealed = false;
    return g.groups.back().back();
}

/* All but the newest closed groups are done; all: the open one, too. */
void finish_groups(observed_worker *w, async_kind kind, size_t newest, bool all,
                   const site *where) {
    async_groups &g = groups_of(w, kind);
    g.waited = *where;
    g.waited_newest = newest;
    while (g.groups.size() - 1 > newest || (all && !g.groups.front().empty())) {
        for (uint32_t number : g.groups.front())
            if (!w->async->operations[number].done)
                w->async->operations[number].done = w->clock;
        if (g.groups.size() > 1)
            g.groups.pop_front();
        else
            g.groups.front().clear();
    }
}

/* The words are accessed by an operation of this thread. */
void observe_operation(observed_worker *w, const void *p, unsigned bytes, bool write, void *caller,
                       uint32_t operation) {
    instruction *s = find_instruction(w, (uintptr_t)p, bytes, write, false, caller);
    if (!s)
        return;
    const unsigned thread = thread_number();
    for (uintptr_t address = (uintptr_t)p; address < (uintptr_t)p + bytes; address += 4)
        check_async_word(w, s, address, thread, operation);
}

class copy_events : public observer {
    void block_begins(const block_start &, const unsigned short **) override {
        observed_worker *w = this_worker;
        if (!w->async)
            w->async = new async_state();
        async_state *a = w->async;
        a->operations.clear();
        for (auto &groups : a->groups)
            groups.assign(w->threads, {});
        memset(a->proxy_fence, 0, sizeof a->proxy_fence);
        memset(a->init_fence, 0, sizeof a->init_fence);
        memset(a->wgmma_groups, 0, sizeof a->wgmma_groups);
        for (auto &o : a->operands)
            o.group = UINT32_MAX;
    }

    /* ---- cp.async ---- */

    void copy_issued(const void *to, const void *from, unsigned bytes, unsigned source_bytes,
                     void *caller) override {
        observed_worker *w = observed();
        if (!w)
            return;
        record_as_copy(w, true);
        if (source_bytes)
            observe_range(from, source_bytes, false, caller);
        const uint32_t operation = open_operation(w, COPY);
        instruction *s = find_instruction(w, (uintptr_t)to, bytes, true, false, caller);
        if (s)
            count_access(w, s, thread_number(), (uintptr_t)to);
        record_as_copy(w, false);
        observe_operation(w, to, bytes, true, caller, operation);
    }

    void copies_committed() override {
        record_event("commit");
        if (observed_worker *w = observed())
            groups_of(w, COPY).groups.emplace_back();
    }

    void copies_waited(size_t newest, bool all, const site *where) override {
        record_event("wait", where, nullptr, {(int64_t)newest, all});
        if (observed_worker *w = observed())
            finish_groups(w, COPY, newest, all, where);
    }

    void copies_arrive(const uint64_t *barrier, const site *where) override {
        observed_worker *w = observed();
        if (!w)
            return;
        async_groups &g = groups_of(w, COPY);
        const mbarrier_record *b = use_barrier(barrier, where);
        for (auto &group : g.groups)
            for (uint32_t number : group) {
                async_operation &o = w->async->operations[number];
                if (b && o.entry == NO_ENTRY)
                    o.entry = b->entry, o.phase = (uint32_t)current_phase(barrier);
            }
        g.sealed = true;
        note_arrival(barrier, current_phase(barrier), where);
    }

    /* ---- bulk copies ---- */

    void bulk_load_issued(const bulk_copy &c, unsigned rank, const uint64_t *barrier) override {
        observed_worker *w = observed();
        if (!w)
            return;
        const unsigned thread = thread_number();
        mbarrier_record *b = use_barrier(barrier, c.where);
        const uint32_t phase = b ? (uint32_t)current_phase(barrier) : 0;
        const size_t entry = b ? b->entry : NO_ENTRY;
        if (b) {
            check_fenced(w, *b, c.where);
            b->issued += c.bytes;
            b->copies = c.where;
        }
        const uint32_t operation = add_operation(w, {LOAD, thread, 0, entry, phase});
        if (rank != w->rank)
            note_remote(w, {rank, w->rank, thread, phase, entry, c.where});
        observe_operation(w, c.from, c.bytes, false, c.caller, operation);
        observe_operation(w, c.to, c.bytes, true, c.caller, operation);
        w->bulk_load_bytes += c.bytes;
        record_bulk_copy("bulk load", c.where, c.to, c.from, c.bytes, barrier, phase);
    }

    void bulk_store_issued(const bulk_copy &c) override {
        observed_worker *w = observed();
        if (!w)
            return;
        observe_operation(w, c.from, c.bytes, false, c.caller, open_operation(w, SOURCE));
        observe_operation(w, c.to, c.bytes, true, c.caller, open_operation(w, STORED));
        w->bulk_store_bytes += c.bytes;
        record_bulk_copy("bulk store", c.where, c.from, c.to, c.bytes, nullptr, 0);
    }

    void bulk_committed() override {
        record_event("bulk commit");
        if (observed_worker *w = observed()) {
            groups_of(w, SOURCE).groups.emplace_back();
            groups_of(w, STORED).groups.emplace_back();
        }
    }

    void bulk_waited(size_t newest, bool read, const site *where) override {
        record_event("bulk wait", where, nullptr, {(int64_t)newest, read});
        if (observed_worker *w = observed()) {
            finish_groups(w, SOURCE, newest, false, where);
            if (!read)
                finish_groups(w, STORED, newest, false, where);
        }
    }

    /* ---- fences ---- */

    void proxy_fence() override {
        record_event("proxy fence");
        if (observed_worker *w = observed())
            w->async->proxy_fence[thread_number()] = ++w->clock;
    }

    /* A fence.mbarrier_init, or one that does more. */
    void mbarrier_init_fence() override {
        if (observed_worker *w = observed())
            w->async->init_fence[thread_number()] = ++w->clock;
    }

    void accessed(const void *p, size_t bytes, bool write, void *caller) override {
        observe_range(p, bytes, write, caller);
    }
};

} // namespace

observer &async_copies() { return only<copy_events>(); }

} // namespace cudacpu::inspect
