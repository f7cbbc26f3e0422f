/* races.cpp - holds each access against the history of its word. */
#include "races.h"
#include "faults.h"
#include "observed_launch.h"
#include <cstring>

namespace cudacpu::inspect {
namespace {

uint8_t bytes_of_word(uintptr_t address, unsigned size) {
    return size >= 4 ? (uint8_t)WRITTEN_BYTES
                     : (uint8_t)(((1u << size) - 1) << (address & 3) & WRITTEN_BYTES);
}

/* Did v happen before all that this thread of the worker's block does now? */
bool is_ordered(const observed_worker *w, const visit &v, unsigned thread) {
    if (v.block != (uint32_t)w->block)
        return false;
    return v.thread == thread || v.clock < w->block_clock ||
           (v.thread / 32u == thread / 32 && v.clock < w->warp_clock[thread / 32]);
}

bool are_both_atomic(const instruction *s, const visit &v) {
    return s->atomic && is_atomic(v.instruction);
}

std::string describe_visit(const visit &v, bool write) {
    const place p = place_of(instruction_address(v.instruction));
    return (write ? "the write of thread " : "the read of thread ") + thread_name(v.thread) +
           " of block " + block_name(v.block) + " at " + p.file + ":" + std::to_string(p.line);
}

void record_race(const instruction *s, uintptr_t address, const char *kind, const visit &other,
                 bool other_wrote) {
    const std::string other_access = describe_visit(other, other_wrote);
    record_access_fault(kind, s->return_address, address,
                        std::string(s->atomic  ? "this atomic access and "
                                    : s->write ? "this write and "
                                               : "this read and ") +
                            other_access + " have no barrier between them",
                        other_access);
}

/* kind: of the fault, if it is one. */
void check_history(observed_worker *w, const instruction *s, word_history *h, uintptr_t address,
                   unsigned size, unsigned thread, const char *kind, bool was_written,
                   bool was_read) {
    const uint8_t bytes = bytes_of_word(address, size);
    const visit now = {(uint32_t)w->block, w->clock, (uint16_t)thread, bytes, s->number};
    auto races_with = [&](const visit &v) {
        return (v.bytes & bytes) && !is_ordered(w, v, thread) && !are_both_atomic(s, v);
    };
    if (was_written && races_with(h->writer))
        record_race(s, address, kind, h->writer, true);
    if (s->write) {
        if (was_read) {
            if (races_with(h->reader))
                record_race(s, address, kind, h->reader, false);
            else if (h->second.instruction && races_with(h->second))
                record_race(s, address, kind, h->second, false);
        }
        h->writer = now;
    }
    if (!s->write || s->atomic) {
        if (!was_read || is_ordered(w, h->reader, thread))
            h->reader = now;
        else
            h->second = now;
    }
}

/* Blocks share global memory, and run at the same time. */
std::atomic_flag history_locks[1024];
struct history_guard {
    std::atomic_flag &flag;
    explicit history_guard(size_t word) : flag(history_locks[word % 1024]) {
        while (flag.test_and_set(std::memory_order_acquire)) {
        }
    }
    ~history_guard() { flag.clear(std::memory_order_release); }
};

} // namespace

/* The history of a word starts anew with each block: an older clock is older than the block. */
void check_shared_word(observed_worker *w, instruction *s, uintptr_t address, unsigned size,
                       unsigned thread) {
    size_t offset = address - s->base;
    size_t i = s->base == w->tls ? offset / 4 : w->tls_bytes / 4 + offset / 4 + 1;
    word_history *h = &w->shared_history[i];
    uint8_t bytes = bytes_of_word(address, size);
    if (w->shared_block[i] != (uint32_t)w->blocks) {
        w->shared_block[i] = (uint32_t)w->blocks;
        w->shared_state[i] = 0;
        memset(h, 0, sizeof *h);
    }
    uint8_t state = w->shared_state[i];
    if (!s->write && __builtin_expect((state & bytes) != bytes, 0)) {
        record_access_fault("uninitialised read", s->return_address, address,
                            "reads shared memory that no thread of the block has written");
        w->shared_state[i] |= bytes;
    }
    /* the usual case: a read of what an earlier phase wrote, and two threads have read it since */
    if (!s->write && size == 4 && (state & READ_BY_BLOCKS) && h->second.clock == w->clock &&
        h->writer.clock < w->block_clock)
        return;
    check_history(w, s, h, address, size, thread, "shared race", state & WRITTEN_NOW,
                  state & READ_NOW);
    w->shared_state[i] |=
        s->write ? (uint8_t)(WRITTEN_NOW | bytes | (s->atomic ? READ_NOW : 0)) : (uint8_t)READ_NOW;
    if (h->second.instruction && h->second.clock == w->clock &&
        h->second.block == (uint32_t)w->block && size == 4)
        w->shared_state[i] |= READ_BY_BLOCKS;
}

void check_global_word(observed_worker *w, instruction *s, uintptr_t address, unsigned size,
                       unsigned thread) {
    area *a = s->where;
    size_t i = (address - a->base) / 4;
    uint8_t bytes = bytes_of_word(address, size),
            state = a->state[i].load(std::memory_order_relaxed);
    if (!s->write && __builtin_expect((state & (WRITTEN_BYTES | WRITTEN_NOW | READ_BY_BLOCKS)) ==
                                          (WRITTEN_BYTES | READ_BY_BLOCKS),
                                      1))
        return;
    history_guard guard(i);
    state = a->state[i].load(std::memory_order_relaxed);
    a->dirty = true;
    if (!(s->write && !s->atomic) && (state & bytes) != bytes) {
        record_access_fault("uninitialised read", s->return_address, address,
                            "reads " + describe_position(a, address) + ", that nobody has written");
        state |= bytes;
    }
    word_history *h = &a->history[i];
    if (!(state & (WRITTEN_NOW | READ_NOW | READ_BY_BLOCKS)))
        memset(h, 0, sizeof *h);
    check_history(w, s, h, address, size, thread, "global race", state & WRITTEN_NOW,
                  state & READ_NOW);
    if (s->write)
        state |= (uint8_t)(WRITTEN_NOW | bytes | (s->atomic ? READ_NOW : 0));
    else
        state |= (uint8_t)(READ_NOW |
                           (size == 4 && h->second.instruction && h->second.block != h->reader.block
                                ? READ_BY_BLOCKS
                                : 0));
    a->state[i].store(state, std::memory_order_relaxed);
}

} // namespace cudacpu::inspect
