/* races.cpp - holds each access against the history of its word. */
#include "races.h"
#include "async_operations.h"
#include "excuses.h"
#include "faults.h"
#include "knowledge.h"
#include "observed.h"
#include "observer.h"
#include <algorithm>
#include <atomic>
#include <cstring>

namespace cudacpu::inspect {
namespace {

uint8_t bytes_of_word(uintptr_t address, unsigned size) {
    return size >= 4 ? (uint8_t)WRITTEN_BYTES
                     : (uint8_t)(((1u << size) - 1) << (address & 3) & WRITTEN_BYTES);
}

/* Who accesses a word now. */
struct accessor {
    observed_worker *w;
    const instruction *s;
    unsigned thread;
    uint32_t clock;
    uint16_t flags;
    bool is_async() const { return flags & ASYNCHRONOUS; }
};

const async_operation *operation_of(const accessor &by, const visit &v) {
    return v.bytes & ASYNCHRONOUS ? find_operation(by.w, v.block, v.clock) : nullptr;
}

/* Did v happen before all that this thread of the worker's block does now? By barriers; */
bool is_ordered_by_barriers(const accessor &by, const visit &v) {
    if (v.bytes & ASYNCHRONOUS) {
        const async_operation *o = operation_of(by, v);
        return o && is_done(by.w, by.thread, v.block, *o);
    }
    return knows(by.w, by.thread, v.block, v.thread, v.clock);
}
/* and by flags and locks, which takes long to find out. */
bool is_ordered(const accessor &by, const visit &v) {
    return is_ordered_by_barriers(by, v) ||
           (!(v.bytes & ASYNCHRONOUS) && is_ordered_by_fences(by.w, by.thread, v));
}

bool is_of_cluster(const accessor &by, const visit &v) {
    return v.block == by.w->block || by.w->knows->rank_of(v.block) >= 0;
}

/* Do both meet in this word on purpose: by atomic functions, or where one writes a flag and the
 * other one looks at it? After a fence in shared memory, where volatile also means the habits of
 * before Volta; two that write both have one. */
bool are_synchronizing(const accessor &by, const visit &v, bool v_wrote) {
    const instruction *s = by.s;
    const uint16_t written =
        s->what == SHARED || (s->write && v_wrote) ? (uint16_t)AFTER_FENCE : (uint16_t)VOLATILE;
    return (s->atomic || by.flags & (s->write ? written : (uint16_t)VOLATILE)) &&
           (is_atomic(v.instruction) || v.bytes & (v_wrote ? written : (uint16_t)VOLATILE));
}

std::string describe_visit(const accessor &by, const visit &v, bool write) {
    static const char *const of_kind[] = {"the asynchronous copy", "the bulk store",
                                          "the bulk store", "the bulk copy", "the wgmma"};
    const async_operation *o = operation_of(by, v);
    return text(o       ? of_kind[o->kind]
                : write ? "the write"
                        : "the read",
                " of thread ", thread_name(v.thread), " of block ", block_name(v.block), " at ",
                place_of_instruction(v.instruction));
}

/* What a bulk copy brings is read too early: perhaps the wait is wrong, or the copy comes too
 * early, before what was there has been read. */
void record_causes(const accessor &by, uintptr_t address, const visit &copy,
                   const async_operation &o) {
    const std::string name = describe_visit(by, copy, true);
    record_wrong_parity(by.w, by.thread, o, name);
    if (was_overwritten(by.w, by.thread, o))
        record_access_fault("stage overwritten", instruction_address(copy.instruction), address,
                            text("this bulk copy overwrites what thread ", thread_name(by.thread),
                                 " may still have to read: it waited for a phase before ", o.phase,
                                 ", and no barrier tells the copy's thread that it has read"));
}

bool are_of_one_line(const instruction *s, const visit &v) {
    return place_of(s->return_address) == place_of_instruction(v.instruction);
}

/* kind: of an ordinary race. updates: one of them has read the word by the instruction by which
 * the other one reads it. */
void record_race(const accessor &by, uintptr_t address, unsigned size, const char *kind,
                 const visit &other, bool other_wrote, bool updates) {
    const instruction *s = by.s;
    const async_operation *o = operation_of(by, other);
    const std::string other_access = describe_visit(by, other, other_wrote);
    const bool is_plain = !by.is_async() && !o;
    const bool within_warp = is_plain && s->what == SHARED && s->write != other_wrote &&
                             other.block == (uint32_t)by.w->block &&
                             other.thread / 32 == by.thread / 32;
    std::string message;
    if (o && !(o->kind == COPY && o->done)) {
        kind = other_wrote ? "unwaited copy" : "stage overwritten";
        message = text(s->write ? "overwrites what " : "reads what ", other_access,
                       other_wrote ? " brings; " : " may still read; ",
                       describe_wait(by.w, other.block, *o));
        if (other_wrote && o->kind == LOAD)
            record_causes(by, address, other, *o);
    } else if (by.is_async() && s->write && !other_wrote) {
        kind = "stage overwritten";
        message = "this copy overwrites what " + other_access +
                  " may still need: no barrier lies between";
    } else {
        const bool of_two_blocks = is_plain && !is_of_cluster(by, other);
        message = text("this ",
                       s->atomic  ? "atomic access"
                       : s->write ? "write"
                                  : "read",
                       " and ", other_access);
        if (of_two_blocks && ((s->write && other_wrote) || (updates && are_of_one_line(s, other))))
            message += ": two blocks write the same word in any order; it takes atomic functions, "
                       "or a lock with __threadfence()";
        else
            message +=
                text(" have no ", of_two_blocks && by.w->fences ? "__threadfence()" : "barrier",
                     " between them");
    }
    const bool other_atomic = is_atomic(other.instruction);
    const auto race = [&] {
        return make_access_fault(kind, s->return_address, address, message, other_access,
                                 within_warp);
    };
    if (is_plain && s->atomic != other_atomic && (s->atomic ? !other_wrote : !s->write))
        hold_for_exchange(s->atomic ? instruction_address(other.instruction) : s->return_address,
                          race());
    else if (is_plain && s->write && other_wrote && !s->atomic && !other_atomic) {
        if (!is_of_cluster(by, other))
            wait_for_write(other.block, address);
        hold_for_value(by.w, address, size, race());
    } else
        record_access_fault(kind, s->return_address, address, message, other_access, within_warp);
}

/* The asynchronous proxy reads what a thread has written: through a fence.proxy.async of either
 * thread. */
void check_proxy_fence(const accessor &by, uintptr_t address, const visit &writer) {
    const async_operation *o = operation_of(by, writer);
    if (o && o->kind != COPY)
        return;
    const uint32_t clock = o ? o->done : writer.clock;
    const int rank = by.w->knows->rank_of(writer.block);
    if (rank < 0 || by.w->knows->worker[rank]->async->proxy_fence[writer.thread] > clock ||
        (writer.block == by.w->block && by.w->async->proxy_fence[by.thread] > clock))
        return;
    const std::string other = describe_visit(by, writer, true);
    record_access_fault("missing fence", by.s->return_address, address,
                        "reads asynchronously what " + other +
                            " brought, and no fence.proxy.async lies between",
                        other);
}

/* ---- all the readers of a word ---- */

enum { MOST_OPERATIONS = 64 };

/* The sets are those of the worker's cluster; NULL: the word has none. */
reader_set *find_readers(observed_worker *w, const word_history *h) {
    std::vector<reader_set> &sets = w->knows->readers;
    return h->readers < sets.size() && sets[h->readers].word == h ? &sets[h->readers] : nullptr;
}

/* One reader more than the two that the history has. */
void add_reader(observed_worker *w, word_history *h, const visit &v) {
    std::vector<reader_set> &sets = w->knows->readers;
    if (!find_readers(w, h)) {
        h->readers = (uint32_t)sets.size();
        sets.push_back({h, {}, {}});
    }
    reader_set &set = sets[h->readers];
    if (v.bytes & ASYNCHRONOUS) {
        if (set.operations.size() == MOST_OPERATIONS)
            set.operations.erase(set.operations.begin());
        set.operations.push_back(v);
        return;
    }
    const uint32_t warp = v.thread / 32u;
    size_t i = 0;
    while (i < set.warps.size() && (set.warps[i].block != v.block || set.warps[i].warp != warp ||
                                    set.warps[i].bytes != v.bytes))
        i++;
    if (i == set.warps.size())
        set.warps.push_back({v.block, warp, 0, v.bytes, {}});
    set.warps[i].instruction = v.instruction;
    set.warps[i].clock[v.thread % 32] = v.clock;
}

/* Calls is_wanted(visit) for each of them, until it is true; false where it never was. */
template <class Wanted> bool find_reader(const reader_set &set, Wanted is_wanted, visit *found) {
    for (const warp_readers &r : set.warps)
        for (unsigned lane = 0; lane < 32; lane++) {
            *found = {r.block, r.clock[lane], (uint16_t)(r.warp * 32 + lane), r.bytes,
                      r.instruction};
            if (r.clock[lane] && is_wanted(*found))
                return true;
        }
    for (const visit &v : set.operations)
        if (is_wanted(*found = v))
            return true;
    return false;
}

/* ---- the rule ---- */

/* kind: of the fault, if it is one. */
void check_history(const accessor &by, word_history *h, uintptr_t address, unsigned size,
                   const char *kind, bool was_written, bool was_read) {
    const instruction *s = by.s;
    const uint8_t bytes = bytes_of_word(address, size);
    const visit now = {(uint32_t)by.w->block, by.clock, (uint16_t)by.thread,
                       (uint16_t)(bytes | by.flags), s->number};
    auto races_with = [&](const visit &v, bool v_wrote = false) {
        return (v.bytes & bytes) && !are_synchronizing(by, v, v_wrote) && !is_ordered(by, v);
    };
    auto has_read_before = [&](const visit &v) {
        return v.instruction && v.block == now.block && v.thread == now.thread &&
               !(v.bytes & ASYNCHRONOUS) && !is_atomic(v.instruction);
    };
    /* Has it read the word by this instruction, as `*p += 1` does before it writes? */
    auto has_read_by = [&](const visit &v, uint32_t instruction) {
        for (const visit &r : {h->reader, h->second})
            if (was_read && r.instruction == instruction && r.block == v.block &&
                r.thread == v.thread)
                return true;
        return false;
    };
    if (by.w->is_exchange && was_read)
        for (const visit *v : {&h->reader, &h->second})
            if (has_read_before(*v))
                note_exchange(instruction_address(v->instruction));
    if (was_written && races_with(h->writer, true))
        record_race(by, address, size, kind, h->writer, true, has_read_by(h->writer, s->number));
    else if (was_written && by.is_async() && !s->write && s->what == SHARED)
        check_proxy_fence(by, address, h->writer);
    if (s->write && !by.w->has_failed) {
        if (was_read) {
            if (races_with(h->reader))
                record_race(by, address, size, kind, h->reader, false,
                            has_read_by(now, h->reader.instruction));
            else if (h->second.instruction && races_with(h->second))
                record_race(by, address, size, kind, h->second, false,
                            has_read_by(now, h->second.instruction));
            else if (reader_set *more = find_readers(by.w, h)) {
                visit other;
                if (find_reader(*more, races_with, &other))
                    record_race(by, address, size, kind, other, false, false);
                more->warps.clear();
                more->operations.clear();
            }
        }
        h->writer = now;
        if (!by.is_async())
            note_stored(by.w, address);
    }
    if (!s->write || s->atomic) {
        if (!was_read || is_ordered_by_barriers(by, h->reader))
            h->reader = now;
        else if (by.w->keeps_readers && h->second.instruction && is_of_cluster(by, h->reader) &&
                 is_of_cluster(by, h->second) && !is_ordered_by_barriers(by, h->second))
            add_reader(by.w, h, now);
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

/* Is this word, which a copy of a whole structure reads, padding as far as nobody has written it?
 * It is written in part, or stands between a member, which is written, and one of 8 bytes. A number
 * by itself has at most 8 bytes. */
bool is_padding(const accessor &by, uintptr_t address, uint8_t here, uint8_t before) {
    const size_t bytes = std::max(by.w->range, (size_t)by.s->size);
    return (bytes >= 8 && here & WRITTEN_BYTES) ||
           (bytes >= 16 && address / 4 % 2 && before & WRITTEN_BYTES);
}

/* The history of a word starts anew with each block: an older clock is older than the block. The
 * memory may be of another block of the cluster. */
void check_shared(const accessor &by, uintptr_t address, unsigned size) {
    const instruction *s = by.s;
    observed_worker *owner = s->owner;
    size_t i = is_static(s) ? (address - owner->tls) / 4
                            : owner->tls_bytes / 4 + (address - s->base) / 4 + 1;
    word_history *h = &owner->shared_history[i];
    uint8_t bytes = bytes_of_word(address, size);
    if (owner->shared_block[i] != (uint32_t)owner->blocks) {
        owner->shared_block[i] = (uint32_t)owner->blocks;
        owner->shared_state[i] = 0;
        memset(h, 0, sizeof *h);
    }
    uint8_t state = owner->shared_state[i];
    if (!s->write && __builtin_expect((state & bytes) != bytes, 0)) {
        if (!is_padding(by, address, state,
                        i && owner->shared_block[i - 1] == (uint32_t)owner->blocks
                            ? owner->shared_state[i - 1]
                            : 0))
            record_access_fault("uninitialised read", s->return_address, address,
                                "reads shared memory that no thread of the block has written yet");
        owner->shared_state[i] |= bytes;
    }
    /* the usual case: a read of what an earlier phase wrote, and two threads have read it since */
    const observed_worker *w = by.w;
    if (!s->write && size == 4 && (state & READ_BY_BLOCKS) && !w->keeps_readers &&
        h->second.clock == w->clock && h->writer.clock < w->block_clock && owner == w &&
        !((h->second.bytes | h->writer.bytes | by.flags) & ASYNCHRONOUS))
        return;
    check_history(by, h, address, size, "shared race", state & WRITTEN_NOW, state & READ_NOW);
    owner->shared_state[i] |= s->write && !w->has_failed
                                  ? (uint8_t)(WRITTEN_NOW | bytes | (s->atomic ? READ_NOW : 0))
                                  : (uint8_t)READ_NOW;
    if (h->second.instruction && h->second.clock == w->clock &&
        h->second.block == (uint32_t)w->block && size == 4)
        owner->shared_state[i] |= READ_BY_BLOCKS;
}

void check_global(const accessor &by, uintptr_t address, unsigned size) {
    const instruction *s = by.s;
    area *a = s->where;
    size_t i = (address - a->base) / 4;
    uint8_t bytes = bytes_of_word(address, size), state = a->state_of(i);
    if (overlaps_primary && state & TOUCHED_BEFORE)
        check_launch_race(by.w, s, by.thread, a, i, bytes, address);
    if (!s->write && __builtin_expect((state & (WRITTEN_BYTES | WRITTEN_NOW | READ_BY_BLOCKS)) ==
                                          (WRITTEN_BYTES | READ_BY_BLOCKS),
                                      1))
        return;
    history_guard guard(i);
    state = a->state_of(i);
    if (!a->dirty) /* a store would take the line from the other OS threads */
        a->dirty = true;
    if (a->fill && !by.w->is_exchange) /* else it was asked before the exchange */
        state |= find_host_writes(a, i, state);
    if (state & WRITTEN_NOW && (!s->write || s->atomic))
        a->is_read_back = true;
    if (!(s->write && !s->atomic) && (state & bytes) != bytes) {
        const int known = find_padding(a, address, (uint8_t)(bytes & ~state & WRITTEN_BYTES),
                                       std::max(by.w->range, (size_t)s->size));
        if (known >= 0 ? !known : !is_padding(by, address, state, i ? a->state_of(i - 1) : 0))
            record_access_fault("uninitialised read", s->return_address, address,
                                "reads " + describe_position(a, address) +
                                    ", that nobody has written");
        state |= bytes;
    }
    word_history *h = &a->history[i];
    if (!(state & (WRITTEN_NOW | READ_NOW | READ_BY_BLOCKS)))
        memset(h, 0, sizeof *h);
    check_history(by, h, address, size, "global race", state & WRITTEN_NOW, state & READ_NOW);
    if (s->write && !by.w->has_failed)
        state |= (uint8_t)(WRITTEN_NOW | bytes | (s->atomic ? READ_NOW : 0));
    else
        state |= (uint8_t)(READ_NOW |
                           (size == 4 && h->second.instruction &&
                                    (!is_of_cluster(by, h->reader) || !is_of_cluster(by, h->second))
                                ? READ_BY_BLOCKS
                                : 0));
    a->set_state(i, state);
}

void check(const accessor &by, uintptr_t address, unsigned size) {
    if (by.s->what == SHARED)
        check_shared(by, address, size);
    else if (by.s->what == GLOBAL)
        check_global(by, address, size);
}

} // namespace

void check_word(observed_worker *w, instruction *s, uintptr_t address, unsigned size,
                unsigned thread) {
    const unsigned flags = !w->is_volatile                     ? 0u
                           : s->write && has_fenced(w, thread) ? VOLATILE | AFTER_FENCE
                                                               : VOLATILE;
    check({w, s, thread, w->clock, (uint16_t)flags}, address, size);
}

void note_host_writes(const instruction *s, uintptr_t address, unsigned size) {
    area *a = s->where;
    for (size_t i = (address - a->base) / 4; i * 4 + a->base < address + size; i++) {
        history_guard guard(i);
        const uint8_t state = a->state_of(i);
        a->set_state(i, state | find_host_writes(a, i, state));
    }
}

void check_async_word(observed_worker *w, instruction *s, uintptr_t address, unsigned thread,
                      uint32_t operation) {
    check({w, s, thread, operation, ASYNCHRONOUS}, address, 4);
}

} // namespace cudacpu::inspect
