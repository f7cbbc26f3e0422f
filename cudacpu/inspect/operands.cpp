/* operands.cpp - which words of shared memory a wgmma reads, by its descriptors. */
#include "operands.h"
#include "access.h"
#include "async_operations.h"
#include "runtime/wgmma_operand.h"

namespace cudacpu::inspect {
namespace {

enum { WARPGROUP = 128 };

void observe_matrix(observed_worker *w, unsigned thread, const wgmma_operation &o,
                    const wgmma_operand &matrix, const char *name, uint32_t operation) {
    uint32_t addresses[MOST_SEGMENTS];
    const unsigned count = segment_addresses(matrix, addresses);
    const char *first = (const char *)ptx::from_shared(addresses[0], o.where);
    instruction *s = find_instruction(w, (uintptr_t)first, SEGMENT, false, false, o.caller);
    if (!s)
        return;
    for (unsigned i = 0; i < count; i++) {
        const uintptr_t at = (uintptr_t)first + (intptr_t)addresses[i] - (intptr_t)addresses[0];
        if (at < s->base || at + SEGMENT > s->base + s->bytes) {
            record_access_fault("out of bounds", s->return_address, at,
                                std::string("the descriptor of ") + name +
                                    " reaches out of shared memory: segment " + std::to_string(i) +
                                    " of " + std::to_string(count) + " lies outside");
            return;
        }
        for (unsigned word = 0; word < SEGMENT; word += 4)
            check_async_word(w, s, at + word, thread, operation);
    }
    w->operand_bytes += count * SEGMENT;
}

} // namespace

void observe_operands(observed_worker *w, unsigned thread, const wgmma_operation &o) {
    auto &last = w->async->operands[thread / WARPGROUP];
    const uint32_t group = w->async->wgmma_groups[thread];
    if (last.group != group) {
        last.group = group;
        last.operation =
            add_operation(w, {OPERANDS, thread / WARPGROUP * WARPGROUP, 0, NO_ENTRY, group});
    }
    if (!o.a_in_registers)
        observe_matrix(w, thread, o, {o.a, 64, o.shape->transpose_a}, "A", last.operation);
    observe_matrix(w, thread, o, {o.b, o.shape->n, o.shape->transpose_b}, "B", last.operation);
}

} // namespace cudacpu::inspect
