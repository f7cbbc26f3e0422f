/* wgmma.cpp - follows the sums of each thread's wgmma, and the words that its descriptors name. */
#include "wgmma.h"
#include "access.h"
#include "async_operations.h"
#include "faults.h"
#include "knowledge.h"
#include "observed.h"
#include "observer.h"
#include "recording.h"
#include "runtime/host/symbols.h"
#include "runtime/tensor/wgmma_operand.h"
#include <algorithm>
#include <unordered_map>

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

void issue_to_registers(observed_worker *w, unsigned thread, const wgmma_operation &o) {
    register_state *r = registers_of(w);
    auto &t = r->thread[thread];
    if (!t.open) {
        t.open = ++r->last_group;
        r->issued.emplace(t.open, o.where);
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
        record_fault("missing fence", o.where,
                     t.fence ? "a sum of this wgmma was written after the last wgmma.fence"
                             : "no wgmma.fence comes before this wgmma");
}

/* ---- the operands: which words a wgmma reads, and whether its descriptors can be right ---- */

enum { WARPGROUP = 128 };

/* One of the two factors. */
struct matrix {
    wgmma_operand operand;
    const char *name;
};

/* What the first segment lies in: a variable, where one is known. */
struct buffer {
    uintptr_t base, bytes;
    std::string name;
};

buffer find_buffer(const instruction *s, uintptr_t address) {
    if (!is_static(s))
        return {s->base, s->bytes, "dynamic shared memory"};
    const thread_variable v = find_thread_variable(address - s->owner->tls);
    return v.bytes ? buffer{s->owner->tls + v.offset, v.bytes, v.name}
                   : buffer{s->base, s->bytes, "shared memory"};
}

/* The vector (a row of A, a column of B), and which part of its bytes along k, or the vectors and
 * their k, that segment i is. */
std::string describe_segment(const matrix &m, unsigned i) {
    const std::string vector = m.name[0] == 'A' ? "row" : "column";
    if (m.operand.transposed)
        return text(vector, "s ", i / 16 * 8, " to ", i / 16 * 8 + 7, " of k = ", i % 16);
    return text("bytes ", i % 2 * SEGMENT, " to ", i % 2 * SEGMENT + SEGMENT - 1, " of ", vector,
                " ", i / 2);
}

/* A swizzle exchanges the segments of 8 rows of 32, 64 or 128 bytes, by the address. So 8 rows that
 * belong together begin at a multiple of their bytes, or the descriptor's base offset says how many
 * rows of 128 bytes later. Returns the first segment of which this does not hold, or count. */
unsigned find_misplaced(const matrix &m, const uint32_t *addresses, unsigned count) {
    static const uint32_t row_bytes[] = {0, 128, 64, 32};
    const uint32_t row = row_bytes[m.operand.descriptor >> 62],
                   begins = (uint32_t)(m.operand.descriptor >> 49 & 7) * 128;
    if (row)
        for (unsigned i = 0; i < count; i += 16)
            if ((addresses[i] - begins) % (8 * row) >= row)
                return i;
    return count;
}

/* Two segments that are the same bytes; false: there are none. */
bool find_twice(const uint32_t *addresses, unsigned count, unsigned *first, unsigned *second) {
    std::unordered_map<uint32_t, unsigned> seen;
    for (unsigned i = 0; i < count; i++) {
        const auto found = seen.emplace(addresses[i], i);
        if (!found.second) {
            *first = found.first->second;
            *second = i;
            return true;
        }
    }
    return false;
}

void check_layout(const instruction *s, const matrix &m, const uint32_t *addresses, unsigned count,
                  uintptr_t first) {
    const unsigned misplaced = find_misplaced(m, addresses, count);
    unsigned one = 0, other = 0;
    const std::string name = text("the descriptor of ", m.name);
    if (misplaced < count)
        record_access_fault(
            "wrong swizzle", s->return_address, first,
            text(name, " has a swizzle whose pattern does not begin where ",
                 describe_segment(m, misplaced),
                 " lies: 8 rows of it begin at a multiple of their bytes (1024, 512 or 256 for "
                 "rows of 128, 64 or 32), or the base offset says where"));
    if (find_twice(addresses, count, &one, &other))
        record_access_fault("wrong swizzle", s->return_address, first,
                            text(name, " reads the same 16 bytes as ", describe_segment(m, one),
                                 " and as ", describe_segment(m, other),
                                 ": its strides are too small"));
}

void observe_matrix(observed_worker *w, unsigned thread, const wgmma_operation &o, const matrix &m,
                    uint32_t operation) {
    uint32_t addresses[MOST_SEGMENTS];
    const unsigned count = segment_addresses(m.operand, addresses);
    const char *first = (const char *)ptx::from_shared(addresses[0], o.where);
    instruction *s = find_instruction(w, (uintptr_t)first, SEGMENT, false, false, o.caller);
    if (!s)
        return;
    check_layout(s, m, addresses, count, (uintptr_t)first);
    const buffer within = find_buffer(s, (uintptr_t)first);
    for (unsigned i = 0; i < count; i++) {
        const uintptr_t at = (uintptr_t)first + (intptr_t)addresses[i] - (intptr_t)addresses[0];
        if (at < within.base || at + SEGMENT > within.base + within.bytes)
            return record_access_fault("out of bounds", s->return_address, at,
                                       text("the descriptor of ", m.name, " reaches out of ",
                                            within.name, " (", within.bytes,
                                            " bytes): ", describe_segment(m, i), " lie outside"));
        for (unsigned word = 0; word < SEGMENT; word += 4)
            check_async_word(w, s, at + word, thread, operation);
    }
    w->operand_bytes += count * SEGMENT;
}

/* All threads of the warpgroup have come: it reads A and B. */
void observe_operands(observed_worker *w, unsigned thread, const wgmma_operation &o) {
    auto &last = w->async->operands[thread / WARPGROUP];
    const uint32_t group = w->async->wgmma_groups[thread];
    if (last.group != group) {
        last.group = group;
        last.operation =
            add_operation(w, {OPERANDS, thread / WARPGROUP * WARPGROUP, 0, NO_ENTRY, group});
    }
    if (!o.a_in_registers)
        observe_matrix(w, thread, o, {{o.a, 64, o.shape->transpose_a}, "A"}, last.operation);
    observe_matrix(w, thread, o, {{o.b, o.shape->n, o.shape->transpose_b}, "B"}, last.operation);
}

/* ---- what happens ---- */

class register_events : public observer {
    void block_begins(const block_start &, const unsigned short **) override {
        begin_registers(this_worker);
    }
    void wgmma_issued(const wgmma_operation &o, bool last) override {
        record_event("wgmma", o.where, nullptr, {o.shape->n});
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
            registers_of(w)->thread[thread_number()].fence = ++w->clock;
    }
    void wgmma_committed() override {
        record_event("wgmma commit");
        observed_worker *w = observed();
        if (!w)
            return;
        auto &t = registers_of(w)->thread[thread_number()];
        t.committed.push_back(t.open);
        t.open = 0;
        w->async->wgmma_groups[thread_number()]++;
    }
    void wgmma_waited(size_t newest, const site *where) override {
        record_event("wgmma wait", where, nullptr, {(int64_t)newest});
        observed_worker *w = observed();
        if (!w)
            return;
        keep_knowledge(w);
        const unsigned thread = thread_number();
        auto &t = registers_of(w)->thread[thread];
        for (; t.committed.size() > newest; t.committed.pop_front())
            t.done = std::max(t.done, t.committed.front());
        const uint32_t groups = w->async->wgmma_groups[thread];
        if (groups > newest)
            learn_entry(w, thread, w->knows->warp_entry(w->rank, thread / 32),
                        groups - (uint32_t)newest);
    }
};

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
            const std::string other = text("the wgmma at ", r->issued.at(r->group[i]));
            record_access_fault("unwaited wgmma", s->return_address, address,
                                text(s->write ? "writes" : "reads", " a sum of ", other,
                                     ", and no wgmma.wait_group for it lies between"),
                                other);
        }
    }
}

observer &registers() { return only<register_events>(); }

} // namespace cudacpu::inspect
