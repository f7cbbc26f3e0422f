/* mbarrier.cpp - barriers in shared memory: count arrivals and the bytes of asynchronous copies. A
 * phase is complete when no arrival is pending and no byte expected. */
#include "barriers.h"
#include "cudacpu/shared_address.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/cluster.h"
#include "runtime/scheduler/faults.h"
#include "runtime/scheduler/shared_window.h"

namespace cudacpu {
namespace {

const int64_t MOST = (1 << 20) - 1; /* arrivals of a phase, and bytes at a time */

/* The 64 bits: 20 each for the arrivals that a phase expects and those that are pending, 22 for the
 * bytes (less than 0: arrived before they were expected), one for the phase's parity. */
struct state {
    int64_t expected, pending, bytes, parity;
};

state unpack(uint64_t bits) {
    return {(int64_t)(bits & 0xfffff), (int64_t)(bits >> 20 & 0xfffff),
            (int64_t)(bits >> 40 & 0x3fffff) - (1 << 21), (int64_t)(bits >> 63)};
}
uint64_t pack(const state &s) {
    return (uint64_t)s.expected | (uint64_t)s.pending << 20 |
           (uint64_t)(s.bytes + (1 << 21)) << 40 | (uint64_t)s.parity << 63;
}

std::string count_of(int64_t number, const char *thing) {
    return text(number, " ", thing, number == 1 ? "" : "s");
}

/* ---- which barrier ---- */

/* A barrier that an instruction names; record is NULL after a failure on no fiber. */
struct named {
    const char *instruction;
    const site *where;
    uint64_t *bits;
    worker *owner;
    mbarrier_record *record;
};

template <class... Part> void fail(const named &n, const Part &...what) {
    fail_thread("wrong mbarrier", n.where, n.instruction, text(what...),
                n.record ? text(" (initialised at ", n.record->where, ")") : "");
}

/* Sets the record of a barrier that has to be there. */
void find_record(named *n) {
    mbarriers &all = barriers_of(n->owner)->known;
    auto found = all.find(n->bits);
    if (found == all.end() || !found->second.valid) {
        fail(*n, " where no mbarrier is initialised");
        return;
    }
    n->record = &found->second;
    if (n->record->bits != *n->bits) {
        fail(*n, " of an mbarrier that something else has written to");
        n->record = nullptr;
    }
}

named find_address(const char *instruction, uint32_t address, bool local, const site *where) {
    named n = {instruction, where, (uint64_t *)ptx::from_shared(address, where),
               block_of(address, where), nullptr};
    if ((uintptr_t)n.bits % 8)
        fail(n, ": an mbarrier's address is a multiple of 8; this one is ", (uintptr_t)n.bits % 8,
             " more");
    if (local && n.owner != self)
        fail(n, ": the mbarrier of block ", n.owner->rank,
             " of the cluster; a block can do this with its own alone");
    return n;
}

named find(const char *instruction, uint32_t address, bool local, const site *where) {
    named n = find_address(instruction, address, local, where);
    find_record(&n);
    return n;
}

/* One that an asynchronous copy names; with no record where its block has ended. */
named find_named(const char *instruction, uint64_t *barrier, const site *where) {
    static const site nowhere = {"", 0};
    named n = {instruction, where ? where : &nowhere, barrier, find_owner(barrier), nullptr};
    if (n.owner)
        find_record(&n);
    return n;
}

/* ---- what changes it ---- */

void store(const named &n, state s) {
    if (s.pending == 0 && s.bytes == 0) {
        s.pending = s.expected;
        s.parity ^= 1;
        n.record->phase++;
        note_progress(self->together);
    }
    *n.bits = n.record->bits = pack(s);
    note_arrival(self->together);
}

void check_count(const named &n, uint32_t count, const char *what) {
    if (count == 0 || count > MOST)
        fail(n, " with ", what, " of ", count, ": 1 to 1048575 are possible");
}

/* by_program: not by a copy, of which an observer is told elsewhere. */
void change_bytes(const named &n, int64_t change, bool by_program = true) {
    if (by_program)
        tell(&observer::mbarrier_bytes, n.bits, (int)change, n.where);
    state s = unpack(*n.bits);
    s.bytes += change;
    if (s.bytes > MOST || s.bytes < -MOST) {
        fail(n, s.bytes > 0 ? text(": ", s.bytes, " bytes would be expected; 1048575 is the most")
                            : text(": ", -s.bytes,
                                   " bytes would have arrived that no expect_tx announced; 1048575 "
                                   "is the most"));
        return;
    }
    store(n, s);
}

/* Returns the state before. */
uint64_t arrive(const named &n, uint32_t count, bool drop) {
    const uint64_t before = *n.bits;
    state s = unpack(before);
    check_count(n, count, "a count");
    if (count > s.pending)
        fail(n, ": ", count_of(count, "arrival"), ", but phase ", n.record->phase, " expects ",
             count_of(s.expected, "arrival"), " and has had ", s.expected - s.pending);
    tell(&observer::mbarrier_arrived, n.bits, n.record->phase, n.where);
    s.pending -= count;
    if (drop)
        s.expected -= count;
    store(n, s);
    return n.owner == self ? before : 0;
}

/* ---- what waits for it ---- */

struct mbarrier_wait {
    named barrier;
    uint64_t phase;
};

bool is_complete(void *argument) {
    const mbarrier_wait *w = static_cast<const mbarrier_wait *>(argument);
    return w->barrier.record->phase > w->phase;
}

std::string describe_mbarrier(void *argument) {
    const mbarrier_wait *w = static_cast<const mbarrier_wait *>(argument);
    const state s = unpack(w->barrier.record->bits);
    std::string missing;
    if (s.pending)
        missing = text(s.pending, " of ", count_of(s.expected, "arrival"));
    if (s.bytes > 0)
        missing += (missing.empty() ? "" : " and ") + count_of(s.bytes, "byte");
    if (!missing.empty())
        missing += " missing";
    if (s.bytes < 0)
        missing += (missing.empty() ? "" : ", ") + count_of(-s.bytes, "byte") +
                   " arrived that no expect_tx announced";
    return text("phase ", w->phase, " (parity ", w->phase % 2, ") of the mbarrier initialised at ",
                w->barrier.record->where, ": ", missing);
}

/* Waits until the phase of this parity is complete, or lets others run once: false when it was not.
 */
bool wait_for_phase(const char *instruction, uint32_t address, int64_t parity, bool try_wait,
                    const site *where) {
    const named n = find(instruction, address, true, where);
    if (parity > 1)
        fail(n, " with a parity of ", parity, ": it is 0 or 1");
    const uint64_t current = n.record->phase;
    mbarrier_wait w = {n, current};
    if (unpack(*n.bits).parity == parity) {
        if (!try_wait) {
            let_others_run(&w, n.where, describe_mbarrier);
            return false;
        }
        tell(&observer::mbarrier_waits, n.bits, current, n.where);
        wait_until(is_complete, &w, n.where, describe_mbarrier);
    } else {
        w.phase = current - 1; /* perhaps the one before the first */
    }
    tell(&observer::mbarrier_passed, n.bits, w.phase, n.where);
    return true;
}

} // namespace

void complete_bytes(uint64_t *barrier, unsigned bytes) {
    const named n = find_named("complete_tx", barrier, nullptr);
    if (!n.owner)
        fail(n, " of an mbarrier whose block has ended");
    else if (n.record)
        change_bytes(n, -(int64_t)bytes, false);
}

uint64_t current_phase(const uint64_t *barrier) {
    worker *owner = find_owner(barrier);
    if (!owner)
        return 0;
    const mbarriers &all = barriers_of(owner)->known;
    const auto found = all.find(const_cast<uint64_t *>(barrier));
    return found != all.end() ? found->second.phase : 0;
}

void expect_arrival(uint64_t *barrier, const site *where) {
    const named n = find_named("cp.async.mbarrier.arrive", barrier, where);
    state s = unpack(*n.bits);
    check_count(n, (uint32_t)s.pending + 1, "arrivals");
    s.pending++;
    store(n, s);
}

void arrive_for_copies(uint64_t *barrier) {
    const named n = find_named("cp.async.mbarrier.arrive", barrier, nullptr);
    if (!n.record)
        return;
    state s = unpack(*n.bits);
    if (s.pending-- > 0)
        store(n, s);
    else
        fail(n, ": one arrival more than phase ", n.record->phase, " expects");
}

block_barriers *barriers_of(worker *w) {
    if (!w->records)
        w->records.reset(new block_barriers());
    return static_cast<block_barriers *>(w->records.get());
}

void block_barriers::end_block(worker *w) {
    for (named_barrier &b : named)
        b.forget();
    for (const auto &entry : known) {
        const int64_t bytes = unpack(*entry.first).bytes;
        if (!entry.second.valid || !bytes || w->aborted || w->launch->warned)
            continue;
        const site &where = entry.second.where;
        const std::string message =
            text("the block ended with ",
                 bytes > 0 ? count_of(bytes, "byte") + " still expected"
                           : count_of(-bytes, "byte") + " arrived that no expect_tx announced",
                 " at the mbarrier initialised at ", where);
        warn_of_fault(w, "mbarrier with bytes", where, message, message);
    }
    known.clear();
}

namespace ptx {

void mbarrier_init(uint32_t address, uint32_t count, const site *where) {
    named n = find_address("mbarrier.init", address, true, where);
    check_count(n, count, "a count");
    n.record = &barriers_of(self)->known[n.bits];
    if (n.record->valid)
        fail(n, " of an mbarrier that is in use: mbarrier.inval comes first");
    *n.bits = pack({count, count, 0, 0});
    *n.record = {true, *n.bits, 0, *where};
    tell(&observer::mbarrier_initialised, n.bits, where);
}

void mbarrier_inval(uint32_t address, const site *where) {
    const named n = find("mbarrier.inval", address, true, where);
    tell(&observer::mbarrier_invalidated, n.bits, where);
    n.record->valid = false;
}

uint64_t mbarrier_arrive(uint32_t address, uint32_t count, const site *where) {
    return arrive(find("mbarrier.arrive", address, false, where), count, false);
}
uint64_t mbarrier_arrive_expect_tx(uint32_t address, uint32_t bytes, const site *where) {
    const named n = find("mbarrier.arrive.expect_tx", address, false, where);
    change_bytes(n, bytes);
    return arrive(n, 1, false);
}
uint64_t mbarrier_arrive_drop(uint32_t address, uint32_t count, const site *where) {
    return arrive(find("mbarrier.arrive_drop", address, false, where), count, true);
}
void mbarrier_expect_tx(uint32_t address, uint32_t bytes, const site *where) {
    change_bytes(find("mbarrier.expect_tx", address, false, where), bytes);
}
void mbarrier_complete_tx(uint32_t address, uint32_t bytes, const site *where) {
    change_bytes(find("mbarrier.complete_tx", address, false, where), -(int64_t)bytes);
}

/* The state is what an arrival returned: its parity says which phase. */
bool mbarrier_test_wait(uint32_t address, uint64_t state, const site *where) {
    return wait_for_phase("mbarrier.test_wait", address, unpack(state).parity, false, where);
}
bool mbarrier_try_wait(uint32_t address, uint64_t state, const site *where) {
    return wait_for_phase("mbarrier.try_wait", address, unpack(state).parity, true, where);
}
bool mbarrier_test_wait_parity(uint32_t address, uint32_t parity, const site *where) {
    return wait_for_phase("mbarrier.test_wait.parity", address, parity, false, where);
}
bool mbarrier_try_wait_parity(uint32_t address, uint32_t parity, const site *where) {
    return wait_for_phase("mbarrier.try_wait.parity", address, parity, true, where);
}

uint32_t mbarrier_pending_count(uint64_t state) { return (uint32_t)unpack(state).pending; }

} // namespace ptx
} // namespace cudacpu
