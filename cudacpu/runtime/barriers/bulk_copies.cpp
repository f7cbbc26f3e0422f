/* bulk_copies.cpp - TMA bulk copies: to shared memory, counted by an mbarrier, and to global
 * memory, in groups. A late load arrives when no thread of the cluster could go on otherwise; a
 * late store is done when its thread waits for its group. */
#include "barriers.h"
#include "cudacpu/shared_address.h"
#include "runtime/host/observer.h"
#include "runtime/host/program.h"
#include "runtime/host/program_caller.h"
#include "runtime/host/text.h"
#include "runtime/memory/allocation.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/cluster.h"
#include "runtime/streams/async_mode.h"
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

namespace cudacpu {
namespace {

const unsigned UNIT = 16; /* size and addresses are multiples of it */

void check_bulk(const void *to, const void *from, unsigned bytes, const site *where) {
    if (bytes == 0 || bytes % UNIT)
        fail_thread("wrong size", where,
                    "a bulk copy of " + std::to_string(bytes) +
                        " bytes (a multiple of 16 above 0 is possible)");
    for (const void *p : {to, from})
        if ((uintptr_t)p % UNIT)
            fail_thread("misaligned", where,
                        std::string("a bulk copy ") + (p == to ? "to" : "from") + " the address " +
                            format_pointer(p) + ", that is no multiple of 16");
}

/* The bytes of global memory that a bulk copy reads or writes lie in one allocation. */
void check_global(const void *p, unsigned bytes, bool write, const site *where) {
    const allocation *a = find_live_allocation(p);
    if (a ? lie_on_side(p, bytes, true) : in_program(p, bytes))
        return;
    const std::string what = std::string("a bulk copy ") + (write ? "to" : "from") +
                             " global memory of " + std::to_string(bytes) + " bytes ";
    if (!a)
        fail_thread("out of bounds", where,
                    what + "at the address " + format_pointer(p) + ", that lies in no allocation");
    else
        fail_thread("out of bounds", where,
                    what + "at byte " + std::to_string((const char *)p - a->data) +
                        " of an allocation of " + std::to_string(a->bytes) + " bytes");
}

/* The bytes of shared memory that begin at address; the window ends the launch outside of it. */
char *shared_range(uint32_t address, unsigned bytes, const site *where) {
    char *p = static_cast<char *>(ptx::from_shared(address, where));
    ptx::from_shared(address + bytes - 1, where);
    return p;
}

struct load {
    void *to;
    const void *from;
    unsigned bytes;
    uint64_t *barrier;
};
void perform(const load &l) {
    memcpy(l.to, l.from, l.bytes);
    complete_bytes(l.barrier, l.bytes);
}
void perform_late(void *argument) {
    const std::unique_ptr<load> l(static_cast<load *>(argument));
    perform(*l);
}
void forget_load(void *argument) { delete static_cast<load *>(argument); }

void start_load(const load &l, unsigned rank, const site *where, void *caller) {
    if (observing)
        observing->bulk_load_issued({l.to, l.from, l.bytes, caller, where}, rank, l.barrier);
    if (happens_late_here())
        add_effect(perform_late, new load(l), forget_load);
    else
        perform(l);
}

/* ---- stores, in groups ---- */

struct bulk_store {
    void *to;
    const void *from;
    unsigned bytes;
    std::vector<char> data; /* once the source has been read */
    bool is_read = false, is_written = false;
    void read() {
        if (!is_read)
            data.assign((const char *)from, (const char *)from + bytes);
        is_read = true;
    }
    void write() {
        if (!is_written)
            memcpy(to, is_read ? data.data() : from, bytes);
        is_read = is_written = true;
    }
};
using shared_store = std::shared_ptr<bulk_store>;

/* Of one thread of the block: the stores of its groups, the last of which is still open. */
struct thread_stores {
    uint64_t block = 0; /* of the worker's blocks, which one they belong to */
    std::deque<std::vector<shared_store>> groups;
};
thread_local std::vector<thread_stores> all_stores;

thread_stores &my_stores() {
    if (all_stores.empty())
        all_stores.resize(MAX_THREADS);
    thread_stores &t = all_stores[cudacpu_current->thread];
    if (t.block != self->blocks_begun) {
        t.block = self->blocks_begun;
        t.groups.assign(1, {});
    }
    return t;
}

/* What has been read is written some time, waited for or not. */
void write_late(void *argument) {
    const std::unique_ptr<shared_store> s(static_cast<shared_store *>(argument));
    (*s)->write();
}

} // namespace

namespace ptx {

void bulk_load(uint32_t to, uint64_t from, uint32_t bytes, uint32_t barrier, uint32_t mask,
               const site *where) {
    void *const caller = PROGRAM_CALLER;
    const void *source = reinterpret_cast<const void *>(from);
    check_bulk(shared_range(to, 1, where), source, bytes, where);
    check_global(source, bytes, false, where);
    if (mask >> cluster_size())
        fail_thread("wrong mask", where,
                    "a multicast to the blocks of mask " + std::to_string(mask) +
                        ", and the cluster has " + std::to_string(cluster_size()));
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

void bulk_copy_to_cluster(uint32_t to, uint32_t from, uint32_t bytes, uint32_t barrier,
                          const site *where) {
    void *const caller = PROGRAM_CALLER;
    const char *source = shared_range(from, 1, where);
    check_bulk(shared_range(to, 1, where), source, bytes, where);
    shared_range(from, bytes, where);
    start_load({shared_range(to, bytes, where), source, bytes,
                static_cast<uint64_t *>(from_shared(barrier, where))},
               rank_of(to), where, caller);
}

void bulk_store(uint64_t to, uint32_t from, uint32_t bytes, const site *where) {
    void *const caller = PROGRAM_CALLER;
    void *target = reinterpret_cast<void *>(to);
    check_bulk(target, shared_range(from, 1, where), bytes, where);
    check_global(target, bytes, true, where);
    const auto s = std::make_shared<cudacpu::bulk_store>();
    s->to = target, s->from = shared_range(from, bytes, where), s->bytes = bytes;
    if (observing)
        observing->bulk_store_issued({target, s->from, bytes, caller, where});
    if (happens_late_here())
        my_stores().groups.back().push_back(s);
    else
        s->write();
}

void bulk_prefetch(uint64_t from, uint32_t bytes, const site *where) {
    const void *source = reinterpret_cast<const void *>(from);
    check_bulk(source, source, bytes, where);
    check_global(source, bytes, false, where);
}

void bulk_commit_group(const site *) {
    my_stores().groups.emplace_back();
    if (observing)
        observing->bulk_committed();
}

void bulk_wait_group(uint32_t newest, bool read, const site *where) {
    auto &groups = my_stores().groups;
    const size_t closed = groups.size() - 1, done = closed > newest ? closed - newest : 0;
    for (size_t i = 0; i < done; i++)
        for (const shared_store &s : groups[i]) {
            if (!read) {
                s->write();
            } else if (!s->is_read) {
                s->read();
                add_effect(write_late, new shared_store(s), write_late);
            }
        }
    if (!read) /* the sources of others may be read, and are waited for again */
        groups.erase(groups.begin(), groups.begin() + (ptrdiff_t)done);
    if (observing)
        observing->bulk_waited(newest, read, where);
}

} // namespace ptx
} // namespace cudacpu
