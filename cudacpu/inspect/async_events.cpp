/* async_events.cpp - asynchronous copies, wgmma and their fences become operations, whose words
 * have a history like those of any access. */
#include "async_events.h"
#include "access.h"
#include "async_operations.h"
#include "knowledge.h"
#include "mbarriers.h"
#include "operands.h"
#include "recording.h"
#include "runtime/barriers/barriers.h"

namespace cudacpu::inspect {
namespace {

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

/* ---- cp.async ---- */

void on_copy_issued(const void *to, const void *from, unsigned bytes, unsigned source_bytes,
                    void *caller) {
    observed_worker *w = observed();
    if (!w)
        return;
    const unsigned thread = thread_number();
    record_as_copy(w, true);
    if (source_bytes)
        observe_range(from, source_bytes, false, caller);
    const uint32_t operation = open_operation(w, w->async->copies[thread], COPY, thread);
    instruction *s = find_instruction(w, (uintptr_t)to, bytes, true, false, caller);
    if (s)
        count_access(w, s, thread, (uintptr_t)to);
    record_as_copy(w, false);
    observe_operation(w, to, bytes, true, caller, operation);
}

void on_copies_committed() {
    record_event(STEP_COMMIT, nullptr);
    if (observed_worker *w = observed())
        close_group(w->async->copies[thread_number()]);
}

void on_copies_waited(size_t newest, bool all, const site *where) {
    record_event(STEP_WAIT, where, nullptr, {(int64_t)newest, all});
    if (observed_worker *w = observed())
        finish_groups(w, w->async->copies[thread_number()], newest, all, where);
}

void on_copies_arrive(const uint64_t *barrier, const site *where) {
    observed_worker *w = observed();
    if (!w)
        return;
    async_groups &g = w->async->copies[thread_number()];
    const mbarrier_record *b = use_barrier(w, barrier, where);
    for (auto &group : g.groups)
        for (uint32_t number : group) {
            async_operation &o = w->async->operations[number];
            if (b && o.entry == NO_ENTRY)
                o.entry = b->entry, o.phase = (uint32_t)current_phase(barrier);
        }
    g.sealed = true;
    on_mbarrier_arrived(barrier, b ? b->rank : 0, current_phase(barrier), where);
}

/* ---- bulk copies ---- */

void on_bulk_load_issued(const bulk_copy &c, unsigned rank, const uint64_t *barrier) {
    observed_worker *w = observed();
    if (!w)
        return;
    const unsigned thread = thread_number();
    mbarrier_record *b = use_barrier(w, barrier, c.where);
    const uint32_t phase = b ? (uint32_t)current_phase(barrier) : 0;
    const size_t entry = b ? b->entry : NO_ENTRY;
    if (b) {
        check_fenced(w, *b, c.where);
        b->issued += c.bytes;
        b->copies = {c.where->file, c.where->line};
    }
    const uint32_t operation = add_operation(w, {LOAD, thread, 0, entry, phase});
    if (rank != w->rank)
        note_remote(w, {rank, w->rank, thread, phase, entry, {c.where->file, c.where->line}});
    observe_operation(w, c.from, c.bytes, false, c.caller, operation);
    observe_operation(w, c.to, c.bytes, true, c.caller, operation);
    w->bulk_load_bytes += c.bytes;
    record_bulk_copy(STEP_BULK_LOAD, c.where, c.to, c.from, c.bytes, barrier, phase);
}

void on_bulk_store_issued(const bulk_copy &c) {
    observed_worker *w = observed();
    if (!w)
        return;
    const unsigned thread = thread_number();
    observe_operation(w, c.from, c.bytes, false, c.caller,
                      open_operation(w, w->async->sources[thread], SOURCE, thread));
    observe_operation(w, c.to, c.bytes, true, c.caller,
                      open_operation(w, w->async->stores[thread], STORED, thread));
    w->bulk_store_bytes += c.bytes;
    record_bulk_copy(STEP_BULK_STORE, c.where, c.from, c.to, c.bytes, nullptr, 0);
}

void on_bulk_committed() {
    record_event(STEP_BULK_COMMIT, nullptr);
    if (observed_worker *w = observed()) {
        close_group(w->async->sources[thread_number()]);
        close_group(w->async->stores[thread_number()]);
    }
}

void on_bulk_waited(size_t newest, bool read, const site *where) {
    record_event(STEP_BULK_WAIT, where, nullptr, {(int64_t)newest, read});
    if (observed_worker *w = observed()) {
        finish_groups(w, w->async->sources[thread_number()], newest, false, where);
        if (!read)
            finish_groups(w, w->async->stores[thread_number()], newest, false, where);
    }
}

/* ---- fences ---- */

void on_proxy_fence() {
    record_event(STEP_PROXY_FENCE, nullptr);
    if (observed_worker *w = observed())
        w->async->proxy_fence[thread_number()] = ++w->clock;
}

/* A fence.mbarrier_init, or one that does more. */
void on_init_fence() {
    if (observed_worker *w = observed())
        w->async->init_fence[thread_number()] = ++w->clock;
}

/* ---- wgmma ---- */

void on_wgmma_issued(const wgmma_operation &o, bool last) {
    observed_worker *w = observed();
    if (!w)
        return;
    keep_knowledge(w);
    const unsigned thread = thread_number();
    issue_to_registers(w, thread, o);
    record_event(STEP_WGMMA, o.where, nullptr, {o.shape->n});
    if (last)
        observe_operands(w, thread, o);
}

void on_wgmma_fenced() {
    if (observed_worker *w = observed())
        fence_registers(w, thread_number());
}

void on_wgmma_committed() {
    record_event(STEP_WGMMA_COMMIT, nullptr);
    if (observed_worker *w = observed()) {
        commit_registers(w, thread_number());
        w->async->wgmma_groups[thread_number()]++;
    }
}

void on_wgmma_waited(size_t newest, const site *where) {
    record_event(STEP_WGMMA_WAIT, where, nullptr, {(int64_t)newest});
    observed_worker *w = observed();
    if (!w)
        return;
    keep_knowledge(w);
    const unsigned thread = thread_number();
    wait_for_registers(w, thread, newest);
    const uint32_t groups = w->async->wgmma_groups[thread];
    if (groups > newest)
        learn_entry(w, thread, w->knows->warp_entry(w->rank, thread / 32),
                    groups - (uint32_t)newest);
}

void on_accessed(const void *p, size_t bytes, bool write, void *caller) {
    observe_range(p, bytes, write, caller);
}

} // namespace

void observe_async_events(observer &events) {
    events.named_barrier_arrived = on_named_barrier_arrived;
    events.named_barrier_opens = on_named_barrier_opens;
    events.cluster_arrived = on_cluster_arrived;
    events.cluster_waited = on_cluster_waited;
    events.mbarrier_initialised = on_mbarrier_initialised;
    events.mbarrier_invalidated = on_mbarrier_invalidated;
    events.mbarrier_arrived = on_mbarrier_arrived;
    events.mbarrier_waits = on_mbarrier_waits;
    events.mbarrier_passed = on_mbarrier_passed;
    events.mbarrier_bytes = on_mbarrier_bytes;
    events.mbarrier_init_fence = on_init_fence;
    events.copy_issued = on_copy_issued;
    events.copies_committed = on_copies_committed;
    events.copies_waited = on_copies_waited;
    events.copies_arrive = on_copies_arrive;
    events.bulk_load_issued = on_bulk_load_issued;
    events.bulk_store_issued = on_bulk_store_issued;
    events.bulk_committed = on_bulk_committed;
    events.bulk_waited = on_bulk_waited;
    events.proxy_fence = on_proxy_fence;
    events.wgmma_issued = on_wgmma_issued;
    events.wgmma_fenced = on_wgmma_fenced;
    events.wgmma_committed = on_wgmma_committed;
    events.wgmma_waited = on_wgmma_waited;
    events.accessed = on_accessed;
}

} // namespace cudacpu::inspect
