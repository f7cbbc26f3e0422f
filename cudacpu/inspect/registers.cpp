/* registers.cpp - follows the sums of each thread's wgmma. */
#include "registers.h"
#include "async_operations.h"
#include "faults.h"
#include "knowledge.h"
#include "observed_launch.h"
#include "observer.h"
#include "operands.h"
#include "zeroed.h"
#include <algorithm>

namespace cudacpu::inspect {

namespace {

/* The block begins: nothing is on its way. */
void begin_registers(observed_worker *w) {
    register_state *r = w->registers;
    if (!r)
        return;
    for (auto &t : r->thread) {
        t.open = t.fence = 0;
        t.done = r->last_group;
        t.committed.clear();
    }
    r->issued.clear();
}

register_state *registers_of(observed_worker *w) {
    if (w->registers)
        return w->registers;
    register_state *r = w->registers = new register_state();
    r->group = make_zeroed<uint32_t>(w->stacks_bytes / 4);
    r->written = make_zeroed<uint32_t>(w->stacks_bytes / 4);
    begin_registers(w);
    return r;
}

std::string place_of_group(const register_state *r, uint32_t group) {
    for (auto &issued : r->issued)
        if (issued.first == group)
            return issued.second.file + ":" + std::to_string(issued.second.line);
    return "?";
}

} // namespace

void check_registers(observed_worker *w, const instruction *s, uintptr_t address, unsigned size) {
    if (address - (uintptr_t)w->stacks >= w->stacks_bytes)
        return;
    register_state *r = w->registers;
    const uint32_t done = r->thread[thread_number()].done;
    for (size_t i = (address - (uintptr_t)w->stacks) / 4;
         i <= (address - (uintptr_t)w->stacks + size - 1) / 4; i++) {
        if (s->write)
            r->written[i] = w->clock;
        if (__builtin_expect(r->group[i] > done, 0)) {
            const std::string other = "the wgmma at " + place_of_group(r, r->group[i]);
            record_access_fault("unwaited wgmma", s->return_address, address,
                                std::string(s->write ? "writes" : "reads") + " a sum of " + other +
                                    ", and no wgmma.wait_group for it lies between",
                                other);
        }
    }
}

namespace {

void issue_to_registers(observed_worker *w, unsigned thread, const wgmma_operation &o) {
    register_state *r = registers_of(w);
    auto &t = r->thread[thread];
    if (!t.open) {
        t.open = ++r->last_group;
        r->issued.push_back({t.open, {o.where->file, o.where->line}});
    }
    bool fenced = t.fence != 0;
    for (unsigned i = 0; i < o.shape->n / 2; i++) {
        const uintptr_t offset = (uintptr_t)o.d[i] - (uintptr_t)w->stacks;
        if (offset >= w->stacks_bytes)
            continue;
        fenced &= r->written[offset / 4] < t.fence;
        r->group[offset / 4] = t.open;
    }
    if (!fenced)
        record_fault("missing fence", {o.where->file, o.where->line},
                     t.fence ? "a sum of this wgmma was written after the last wgmma.fence"
                             : "no wgmma.fence comes before this wgmma");
}

void fence_registers(observed_worker *w, unsigned thread) {
    registers_of(w)->thread[thread].fence = ++w->clock;
}

void commit_registers(observed_worker *w, unsigned thread) {
    auto &t = registers_of(w)->thread[thread];
    t.committed.push_back(t.open);
    t.open = 0;
}

void wait_for_registers(observed_worker *w, unsigned thread, size_t newest) {
    auto &t = registers_of(w)->thread[thread];
    for (; t.committed.size() > newest; t.committed.pop_front())
        t.done = std::max(t.done, t.committed.front());
}

class register_events : public observer {
    void block_begins(const block_start &, const unsigned short **) override {
        begin_registers(this_worker);
    }
    void wgmma_issued(const wgmma_operation &o, bool last) override {
        observed_worker *w = observed();
        if (!w)
            return;
        keep_knowledge(w);
        const unsigned thread = thread_number();
        issue_to_registers(w, thread, o);
        if (last)
            observe_operands(w, thread, o);
    }
    void wgmma_fenced() override {
        if (observed_worker *w = observed())
            fence_registers(w, thread_number());
    }
    void wgmma_committed() override {
        if (observed_worker *w = observed()) {
            commit_registers(w, thread_number());
            w->async->wgmma_groups[thread_number()]++;
        }
    }
    void wgmma_waited(size_t newest, const site *) override {
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
};

} // namespace

observer &registers() {
    static register_events all;
    return all;
}

} // namespace cudacpu::inspect
