/* async_copies.cpp - a thread's asynchronous copies to shared memory, in groups. An early copy is
 * done when it is issued, a late one when its thread waits for its group; one that is never waited
 * for is never done. */
#include "barriers.h"
#include "cudacpu/async_copy.h"
#include "cudacpu/shared_address.h"
#include "runtime/host/observer.h"
#include "runtime/host/program_caller.h"
#include "runtime/host/text.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/cluster.h"
#include "runtime/streams/async_mode.h"
#include <algorithm>
#include <cstring>
#include <vector>

namespace cudacpu {

bool copies_are_plain;

namespace {

struct copy {
    void *to;
    const void *from;
    unsigned bytes, source_bytes;
};

/* The copies that one thread of the block has not waited for. Numbered from its first one. */
struct thread_copies {
    uint64_t block = 0;         /* of the worker's blocks, which one they belong to */
    size_t first = 0;           /* number of the first that is still to do */
    std::vector<copy> copies;   /* from there on */
    std::vector<size_t> groups; /* of each open group: number of the copy after its last */
    size_t next() const { return first + copies.size(); }
};
thread_local std::vector<thread_copies> all_copies;

thread_copies &my_copies() {
    if (all_copies.empty())
        all_copies.resize(MAX_THREADS);
    thread_copies &t = all_copies[cudacpu_current->thread];
    if (t.block != self->blocks_begun) { /* an earlier block's are never done */
        t.block = self->blocks_begun;
        t.first += t.copies.size();
        t.copies.clear();
        t.groups.clear();
    }
    return t;
}

void perform(const copy &c) {
    memcpy(c.to, c.from, c.source_bytes);
    memset((char *)c.to + c.source_bytes, 0, c.bytes - c.source_bytes);
}

/* Does all copies below number. */
void perform_until(thread_copies &t, size_t number) {
    const size_t count = number > t.first ? number - t.first : 0;
    for (size_t i = 0; i < count; i++)
        perform(t.copies[i]);
    t.copies.erase(t.copies.begin(), t.copies.begin() + (ptrdiff_t)count);
    t.first += count;
}

void check_copy(const void *to, const void *from, size_t bytes, size_t source_bytes,
                const site *where) {
    if (bytes != 4 && bytes != 8 && bytes != 16)
        fail_thread("wrong size", where,
                    "an asynchronous copy of " + std::to_string(bytes) +
                        " bytes (4, 8 or 16 are possible)");
    if (source_bytes > bytes)
        fail_thread("wrong size", where,
                    "an asynchronous copy of " + std::to_string(bytes) + " bytes cannot take " +
                        std::to_string((long long)source_bytes) + " bytes from its source");
    for (const void *p : {to, from})
        if ((uintptr_t)p % bytes)
            fail_thread("misaligned", where,
                        "an asynchronous copy of " + std::to_string(bytes) + " bytes " +
                            (p == to ? "to" : "from") + " the address " + format_pointer(p) +
                            ", that is no multiple of " + std::to_string(bytes));
}

void issue_copy(void *to, const void *from, size_t bytes, size_t source_bytes, const site *where,
                void *caller) {
    check_copy(to, from, bytes, source_bytes, where);
    if (observing)
        observing->copy_issued(to, from, (unsigned)bytes, (unsigned)source_bytes, caller);
    const copy c = {to, from, (unsigned)bytes, (unsigned)source_bytes};
    if (!happens_late_here()) {
        if (!observing && read_async_mode() == EARLY)
            copies_are_plain = true;
        perform(c);
        return;
    }
    if (source_bytes) /* a wrong address is found here, and not at the wait */
        (void)*static_cast<const volatile char *>(from);
    my_copies().copies.push_back(c);
}

/* cp.async.mbarrier.arrive, that waits for copies. */
struct late_arrival {
    uint64_t *barrier;
    thread_copies *copies;
    uint64_t block;
    size_t number; /* of the copy after those that it waits for */
};
void arrive_late(void *argument) {
    const late_arrival *a = static_cast<late_arrival *>(argument);
    if (a->copies->block == a->block)
        perform_until(*a->copies, a->number);
    arrive_for_copies(a->barrier);
    delete a;
}
void forget_arrival(void *argument) { delete static_cast<late_arrival *>(argument); }

} // namespace

void copy_async(void *to, const void *from, size_t bytes, size_t source_bytes, const site *where) {
    issue_copy(to, from, bytes, source_bytes, where, PROGRAM_CALLER);
}

void commit_copies() {
    if (observing)
        observing->copies_committed();
    if (read_async_mode() != EARLY)
        my_copies().groups.push_back(my_copies().next());
}

void wait_copies(size_t newest, const site *where) {
    if (read_async_mode() != EARLY) {
        thread_copies &t = my_copies();
        if (newest < t.groups.size()) {
            const size_t waited = t.groups.size() - newest;
            perform_until(t, t.groups[waited - 1]);
            t.groups.erase(t.groups.begin(), t.groups.begin() + (ptrdiff_t)waited);
        }
    }
    if (observing)
        observing->copies_waited(newest, false, where);
}

namespace ptx {

void cp_async(uint32_t to, uint64_t from, uint32_t bytes, uint32_t source_bytes,
              const site *where) {
    issue_copy(from_shared(to, where), reinterpret_cast<const void *>(from), bytes, source_bytes,
               where, PROGRAM_CALLER);
}

void cp_async_commit_group(const site *) { commit_copies(); }

void cp_async_wait_group(uint32_t newest, const site *where) { wait_copies(newest, where); }

void cp_async_wait_all(const site *where) {
    if (read_async_mode() != EARLY) {
        perform_until(my_copies(), my_copies().next());
        my_copies().groups.clear();
    }
    if (observing)
        observing->copies_waited(0, true, where);
}

void cp_async_mbarrier_arrive(uint32_t address, bool noinc, const site *where) {
    uint64_t *barrier = static_cast<uint64_t *>(from_shared(address, where));
    if (!noinc)
        expect_arrival(barrier, where);
    if (observing)
        observing->copies_arrive(barrier, where);
    thread_copies &t = my_copies();
    if (!happens_late_here()) {
        perform_until(t, t.next());
        arrive_for_copies(barrier);
    } else {
        add_effect(arrive_late, new late_arrival{barrier, &t, t.block, t.next()}, forget_arrival);
    }
}

} // namespace ptx
} // namespace cudacpu
