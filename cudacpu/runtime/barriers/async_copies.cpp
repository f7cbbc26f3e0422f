/* async_copies.cpp - asynchronous copies to shared memory. cp.async: a thread's, in groups; an
 * early one is done when it is issued, a late one when its thread waits for its group; one that is
 * never waited for is never done. TMA bulk copies, counted by an mbarrier: a late one arrives when
 * no thread of the cluster could go on otherwise. */
#include "barriers.h"
#include "cudacpu/async_copy.h"
#include "cudacpu/shared_address.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/host/text.h"
#include "runtime/memory/allocation.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/cluster.h"
#include "runtime/streams/async_mode.h"
#include <cstring>
#include <vector>

namespace cudacpu {

/* ---- cp.async ---- */

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
        fail_thread("wrong size", where, "an asynchronous copy of ", bytes,
                    " bytes (4, 8 or 16 are possible)");
    if (source_bytes > bytes)
        fail_thread("wrong size", where, "an asynchronous copy of ", bytes, " bytes cannot take ",
                    (long long)source_bytes, " bytes from its source");
    for (const void *p : {to, from})
        if ((uintptr_t)p % bytes)
            fail_thread("misaligned", where, "an asynchronous copy of ", bytes, " bytes ",
                        p == to ? "to" : "from", " the address ", format_pointer(p),
                        ", that is no multiple of ", bytes);
}

void issue_copy(void *to, const void *from, size_t bytes, size_t source_bytes, const site *where,
                void *caller) {
    check_copy(to, from, bytes, source_bytes, where);
    tell(&observer::copy_issued, to, from, (unsigned)bytes, (unsigned)source_bytes, caller);
    const copy c = {to, from, (unsigned)bytes, (unsigned)source_bytes};
    if (!happens_late_here()) {
        if (!follows_accesses && read_async_mode() == EARLY)
            copies_are_plain = true;
        perform(c);
        return;
    }
    if (source_bytes) /* a wrong address is found here, and not at the wait */
        (void)*static_cast<const volatile char *>(from);
    my_copies().copies.push_back(c);
}

} // namespace

void copy_async(void *to, const void *from, size_t bytes, size_t source_bytes, const site *where) {
    issue_copy(to, from, bytes, source_bytes, where, PROGRAM_CALLER);
}

void commit_copies() {
    tell(&observer::copies_committed);
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
    tell(&observer::copies_waited, newest, false, where);
}

void ptx::cp_async(uint32_t to, uint64_t from, uint32_t bytes, uint32_t source_bytes,
                   const site *where) {
    issue_copy(from_shared(to, where), reinterpret_cast<const void *>(from), bytes, source_bytes,
               where, PROGRAM_CALLER);
}

void ptx::cp_async_commit_group(const site *) { commit_copies(); }

void ptx::cp_async_wait_group(uint32_t newest, const site *where) { wait_copies(newest, where); }

void ptx::cp_async_wait_all(const site *where) {
    if (read_async_mode() != EARLY) {
        perform_until(my_copies(), my_copies().next());
        my_copies().groups.clear();
    }
    tell(&observer::copies_waited, 0, true, where);
}

void ptx::cp_async_mbarrier_arrive(uint32_t address, bool noinc, const site *where) {
    uint64_t *barrier = static_cast<uint64_t *>(from_shared(address, where));
    if (!noinc)
        expect_arrival(barrier, where);
    tell(&observer::copies_arrive, barrier, where);
    thread_copies &t = my_copies();
    if (!happens_late_here()) {
        perform_until(t, t.next());
        arrive_for_copies(barrier);
    } else {
        add_completion([barrier, &t, block = t.block, next = t.next()] {
            if (t.block == block)
                perform_until(t, next);
            arrive_for_copies(barrier);
        });
    }
}

/* ---- TMA bulk copies ---- */

static const unsigned UNIT = 16; /* size and addresses are multiples of it */

void check_bulk(const void *to, const void *from, unsigned bytes, const site *where) {
    if (bytes == 0 || bytes % UNIT)
        fail_thread("wrong size", where, "a bulk copy of ", bytes,
                    " bytes (a multiple of 16 above 0 is possible)");
    for (const void *p : {to, from})
        if ((uintptr_t)p % UNIT)
            fail_thread("misaligned", where, "a bulk copy ", p == to ? "to" : "from",
                        " the address ", format_pointer(p), ", that is no multiple of 16");
}

void check_global(const void *p, unsigned bytes, bool write, const site *where) {
    const allocation *a = find_live_allocation(p);
    if (a ? lie_on_side(p, bytes, true) : in_program(p, bytes))
        return;
    const std::string what =
        text("a bulk copy ", write ? "to" : "from", " global memory of ", bytes, " bytes ");
    if (!a)
        fail_thread("out of bounds", where,
                    what + "at the address " + format_pointer(p) + ", that lies in no allocation");
    else
        fail_thread("out of bounds", where, what, "at byte ", (const char *)p - a->data,
                    " of an allocation of ", a->bytes, " bytes");
}

char *shared_range(uint32_t address, unsigned bytes, const site *where) {
    char *p = static_cast<char *>(ptx::from_shared(address, where));
    ptx::from_shared(address + bytes - 1, where);
    return p;
}

static void perform(const bulk_load &l) {
    memcpy(l.to, l.from, l.bytes);
    complete_bytes(l.barrier, l.bytes);
}

void start_load(const bulk_load &l, unsigned rank, const site *where, void *caller) {
    tell(&observer::bulk_load_issued, {l.to, l.from, l.bytes, caller, where}, rank, l.barrier);
    if (happens_late_here())
        add_completion([l] { perform(l); });
    else
        perform(l);
}

void ptx::bulk_load(uint32_t to, uint64_t from, uint32_t bytes, uint32_t barrier, uint32_t mask,
                    const site *where) {
    void *const caller = PROGRAM_CALLER;
    const void *source = reinterpret_cast<const void *>(from);
    check_bulk(shared_range(to, 1, where), source, bytes, where);
    check_global(source, bytes, false, where);
    if (mask >> cluster_size())
        fail_thread("wrong mask", where, "a multicast to the blocks of mask ", mask,
                    ", and the cluster has ", cluster_size());
    if (!mask)
        start_load({shared_range(to, bytes, where), source, bytes,
                    static_cast<uint64_t *>(from_shared(barrier, where))},
                   rank_of(to), where, caller);
    for (unsigned rank = 0; mask >> rank; rank++)
        if (mask >> rank & 1)
            start_load(
                {shared_range(map_to_rank(to, rank, where), bytes, where), source, bytes,
                 static_cast<uint64_t *>(from_shared(map_to_rank(barrier, rank, where), where))},
                rank, where, caller);
}

} // namespace cudacpu
