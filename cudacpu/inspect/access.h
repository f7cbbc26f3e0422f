/* access.h - one access of a kernel, from its address to the log and the history of its words. */
#ifndef CUDACPU_INSPECT_ACCESS_H
#define CUDACPU_INSPECT_ACCESS_H
#include "access_log.h"
#include "excuses.h"
#include "faults.h"
#include "observed.h"
#include "places.h"
#include "races.h"
#include "recording.h"
#include "stack.h"
#include "wgmma.h"

namespace cudacpu::inspect {

/* The instruction that returns to return_address, with the memory that it accesses; NULL: none that
 * is observed. Inlined into each function that the compiler calls: nothing runs more often. */
inline __attribute__((always_inline)) instruction *
find_instruction(observed_worker *w, uintptr_t address, unsigned size, bool write, bool atomic,
                 void *return_address) {
    const uintptr_t from = (uintptr_t)return_address;
    if (from - program_text >= program_text_bytes)
        return nullptr;
    /* a copy reads and writes from one place, and so does an atomic function of a header */
    instruction *&slot = w->by_address[from - program_text - write - 2 * atomic];
    if (__builtin_expect(!slot, 0))
        slot = make_instruction(w, from, size, write, atomic);
    instruction *s = slot;
    if (__builtin_expect(address - s->base >= s->bytes || address - s->base + size > s->bytes, 0))
        locate(w, s, address, size);
    if (s->what == IGNORED || s->what == NOWHERE) {
        if (__builtin_expect(w->registers != nullptr, 0))
            check_registers(w, s, address, size);
        if (!write && s->what == IGNORED && holds_pattern(address, size))
            note_unset_read(w, s, address);
        if (write && __builtin_expect(w->local_arrays != 0, 0)) /* reads: stack.h */
            check_local_arrays(w, s, address);
        return nullptr;
    }
    if (__builtin_expect(s->what != s->logged, 0))
        s = slot = find_for_memory(w, s);
    return s;
}

/* Most accesses are a thread's, to its own variables, and there is nothing to say of them: that is
 * found out in few instructions. false: observe_access() looks closer. */
inline __attribute__((always_inline)) bool is_ordinary(uintptr_t address, unsigned size, bool write,
                                                       void *return_address) {
    observed_worker *w = this_worker;
    if (!w || !w->active)
        return true;
    const uintptr_t from = (uintptr_t)return_address - program_text;
    if (__builtin_expect(from >= program_text_bytes, 0))
        return false;
    const instruction *s = w->by_address[from - write];
    if (!s || s->what != IGNORED || address - s->base >= s->bytes ||
        address - s->base + size > s->bytes || w->writes || w->last_stored || address % size)
        return false;
    if (!write && holds_pattern(address, size))
        return false;
    const uintptr_t offset = address - (uintptr_t)w->stacks;
    if (offset < w->stacks_bytes && ((write && w->local_arrays && w->red_zones[offset / 4]) ||
                                     (w->registers && !has_no_sums(w, offset, size, write))))
        return false;
    w->is_announced = write;
    return true;
}

/* The log is that of one warp. */
inline __attribute__((always_inline)) void count_access(observed_worker *w, instruction *s,
                                                        unsigned thread, uintptr_t address) {
    if (__builtin_expect(thread / 32 != w->warp, 0))
        change_warp(w, thread / 32);
    log_access(w, s, thread % 32, address);
    if (__builtin_expect(is_recording, 0))
        record_access(w, s, thread, address);
}

/* Whether a read fetches what the thread has stored in the access before, on the same line: what
 * `a = b[i] = c` and `i < n && (b[i] = c)` do with an assignment's value. A compiler keeps that in
 * a register, and only -O0 reads it again. */
inline __attribute__((always_inline)) bool
is_kept(observed_worker *w, instruction *s, unsigned size, unsigned thread, uintptr_t address) {
    const auto &stored = w->stored;
    if (__builtin_expect(stored.address != address, 1) || stored.size != size ||
        stored.thread != thread || stored.phase != w->phase || w->is_volatile)
        return false;
    if (s->store != stored.instruction) {
        const place one = place_of(stored.instruction), other = place_of(s->return_address);
        s->store = stored.instruction;
        s->follows = one.line && one == other;
    }
    return s->follows;
}

/* Apart, since text takes the compiler long, and this one is inlined often. (instrumentation.cpp)
 */
void record_misaligned(const instruction *s, uintptr_t address, unsigned size);

/* Where the thread that runs is observed. A part of cudacpu's own atomic functions is not counted:
 * it can only race. */
inline __attribute__((always_inline)) void observe_access(void *pointer, unsigned size, bool write,
                                                          bool atomic, void *return_address,
                                                          bool counted = true) {
    observed_worker *w = this_worker;
    if (!w || !w->active)
        return;
    if (!w->range) /* else one more part of a structure */
        begin_access(w, write);
    uintptr_t address = (uintptr_t)pointer;
    instruction *s = find_instruction(w, address, size, write, atomic, return_address);
    if (!s)
        return;
    const unsigned thread = thread_number();
    if (__builtin_expect(address & (size - 1), 0))
        record_misaligned(s, address, size);
    if (!counted)
        return check_word(w, s, address, size, thread);
    const bool stores = write && !atomic && !w->is_volatile;
    if (write || atomic || !is_kept(w, s, size, thread, address)) {
        check_stored(w);
        count_access(w, s, thread, address);
        w->stored.address = stores ? address : 0;
    }
    if (stores) {
        w->stored.instruction = s->return_address;
        w->stored.size = size;
        w->stored.thread = thread;
        w->stored.phase = w->phase;
        w->stored.is_single = !w->range;
    }
    if (s->what == SYMBOL)
        return;
    const uintptr_t end = address + size;
    const unsigned part = size < 4 ? size : 4;
    do { /* word by word; nearly always one */
        check_word(w, s, address, part, thread);
        address += part;
    } while (address < end);
}

/* Bytes that are copied whole: in accesses as wide as their number and place allow, as a device
 * would. (instrumentation.cpp) */
void observe_range(const void *p, size_t bytes, bool write, void *return_address);

} // namespace cudacpu::inspect
#endif
