/* operands.cpp - which words of shared memory a wgmma reads, by its descriptors, and whether these
 * can be right. */
#include "operands.h"
#include "access.h"
#include "async_operations.h"
#include "runtime/host/symbols.h"
#include "runtime/tensor/wgmma_operand.h"
#include <unordered_map>

namespace cudacpu::inspect {
namespace {

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
    if (is_static(s)) {
        const thread_variable v = find_thread_variable(address - s->owner->tls);
        if (v.bytes)
            return {s->owner->tls + v.offset, v.bytes, v.name};
        return {s->base, s->bytes, "shared memory"};
    }
    return {s->base, s->bytes, "dynamic shared memory"};
}

/* The vector (a row of A, a column of B), and which part of its bytes along k, or the vectors and
 * their k, that segment i is. */
std::string describe_segment(const matrix &m, unsigned i) {
    const std::string vector = m.name[0] == 'A' ? "row" : "column";
    if (m.operand.transposed)
        return vector + "s " + std::to_string(i / 16 * 8) + " to " +
               std::to_string(i / 16 * 8 + 7) + " of k = " + std::to_string(i % 16);
    return "bytes " + std::to_string(i % 2 * SEGMENT) + " to " +
           std::to_string(i % 2 * SEGMENT + SEGMENT - 1) + " of " + vector + " " +
           std::to_string(i / 2);
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
    const std::string name = std::string("the descriptor of ") + m.name;
    if (misplaced < count)
        record_access_fault("wrong swizzle", s->return_address, first,
                            name + " has a swizzle whose pattern does not begin where " +
                                describe_segment(m, misplaced) +
                                " lies: 8 rows of it begin at a multiple of their bytes (1024, 512 "
                                "or 256 for rows of 128, 64 or 32), or the base offset says where");
    if (find_twice(addresses, count, &one, &other))
        record_access_fault("wrong swizzle", s->return_address, first,
                            name + " reads the same 16 bytes as " + describe_segment(m, one) +
                                " and as " + describe_segment(m, other) +
                                ": its strides are too small");
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
        if (at < within.base || at + SEGMENT > within.base + within.bytes) {
            record_access_fault("out of bounds", s->return_address, at,
                                std::string("the descriptor of ") + m.name + " reaches out of " +
                                    within.name + " (" + std::to_string(within.bytes) +
                                    " bytes): " + describe_segment(m, i) + " lie outside");
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
        observe_matrix(w, thread, o, {{o.a, 64, o.shape->transpose_a}, "A"}, last.operation);
    observe_matrix(w, thread, o, {{o.b, o.shape->n, o.shape->transpose_b}, "B"}, last.operation);
}

} // namespace cudacpu::inspect
