/* bulk_copies.cpp - TMA bulk copies from shared memory: stores to global memory, in groups, of
 * which a late one is done when its thread waits for its group; and copies to another block of the
 * cluster. */
#include "cudacpu/shared_address.h"
#include "runtime/barriers/barriers.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/cluster.h"
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

namespace cudacpu {
namespace {

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

} // namespace

namespace ptx {

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
    tell(&observer::bulk_store_issued, {target, s->from, bytes, caller, where});
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
    tell(&observer::bulk_committed);
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
                /* what has been read is written some time, waited for or not */
                add_completion([s] { s->write(); }, true);
            }
        }
    if (!read) /* the sources of others may be read, and are waited for again */
        groups.erase(groups.begin(), groups.begin() + (ptrdiff_t)done);
    tell(&observer::bulk_waited, newest, read, where);
}

} // namespace ptx
} // namespace cudacpu
