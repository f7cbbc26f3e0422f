/* stream_queue.cpp - which operation may be done, and which is done next. */
#include "stream_queue.h"
#include "async_mode.h"
#include "errors.h"
#include "host_pages.h"
#include "lock.h"
#include "observer.h"
#include <cstdlib>
#include <set>
#include <thread>

int cudacpu_default_stream_of_thread;

namespace cudacpu {
namespace {

/* The longest queue: then the oldest operation is done. */
const size_t MOST_PENDING = 1024;
/* So often a query says in LATE that something is not done. */
const unsigned MOST_ASKED = 3;

struct queues {
    std::map<uint64_t, stream_operation> pending;
    uint64_t issued = 0;
    order host;
    std::vector<uint64_t> ticks = {0, 0}; /* the last of each slot */
    std::vector<unsigned> unused_slots;
    std::set<CUstream_st *> streams; /* all but the legacy one */
    CUstream_st legacy = {LEGACY_STREAM, 1, cudaStreamDefault, 0, 0, {}};
    order destroyed; /* of blocking streams that are no more */
    unsigned created = 0;
};
/* Never destroyed: at the program's end there may be work left. */
queues &all = *new queues();

bool blocks(const CUstream_st *stream) { return stream->flags == cudaStreamDefault; }

unsigned take_slot() {
    for (size_t i = 0; i < all.unused_slots.size(); i++) {
        const unsigned slot = all.unused_slots[i];
        if (!all.host.covers(slot, all.ticks[slot]))
            continue; /* the new stream's operations would come after the old one's */
        all.unused_slots.erase(all.unused_slots.begin() + (ptrdiff_t)i);
        return slot;
    }
    all.ticks.push_back(0);
    return (unsigned)all.ticks.size() - 1;
}

CUstream_st *thread_stream() {
    static thread_local CUstream_st *stream;
    if (!stream) {
        stream = new CUstream_st{THREAD_STREAM, take_slot(), cudaStreamDefault, 0, 0, {}};
        all.streams.insert(stream);
    }
    return stream;
}

/* The legacy stream and the blocking ones wait for each other. */
void join_default_stream(CUstream_st *stream) {
    stream->order.join(all.host);
    if (stream == &all.legacy) {
        stream->order.join(all.destroyed);
        for (const CUstream_st *other : all.streams)
            if (blocks(other))
                stream->order.join(other->order);
    } else if (blocks(stream)) {
        stream->order.join(all.legacy.order);
    }
}

/* What stands before it has a smaller number. */
bool is_ready(const stream_operation &o) {
    for (const auto &entry : all.pending) {
        const stream_operation &other = entry.second;
        if (other.number >= o.number)
            return true;
        if (o.order.covers(other.slot, other.tick))
            return false;
    }
    return true;
}

void perform(const stream_operation &o) {
    if (sticky_error())
        return; /* as after a GPU's fault: nothing else is done */
    if (observing)
        observing->operation_begins(o);
    o.perform(o);
    if (observing)
        observing->operation_ends(o);
}

void perform_pending(std::map<uint64_t, stream_operation>::iterator at) {
    const stream_operation o = std::move(at->second);
    all.pending.erase(at);
    perform(o);
}

void perform_one(std::map<uint64_t, stream_operation>::iterator at) {
    open_host_pages();
    perform_pending(at);
    close_host_pages();
}

/* LATE: of those that are wanted, the one that was issued last: as far from the program's order as
 * is allowed. RANDOM: any that may be done. */
template <class Wanted> std::map<uint64_t, stream_operation>::iterator choose(Wanted wanted) {
    const bool random = read_async_mode() == RANDOM;
    std::vector<std::map<uint64_t, stream_operation>::iterator> ready;
    bool any = false;
    for (auto at = all.pending.end(); at != all.pending.begin();) {
        --at;
        const bool is_wanted = wanted(at->second);
        any |= is_wanted;
        if (!(random || is_wanted) || !is_ready(at->second))
            continue;
        if (!random)
            return at;
        ready.push_back(at);
    }
    return any ? ready[draw((unsigned)ready.size())] : all.pending.end();
}

template <class Wanted> void perform_all(Wanted wanted) {
    if (all.pending.empty())
        return;
    open_host_pages();
    for (auto next = choose(wanted); next != all.pending.end(); next = choose(wanted))
        perform_pending(next);
    close_host_pages();
}

void perform_some() {
    while (!all.pending.empty() && draw(2))
        perform_one(choose([](const stream_operation &) { return true; }));
}

/* In a thread of its own: at exit the program's has no thread-local objects any more, and kernels
 * need them. */
void perform_rest() {
    std::thread([] {
        runtime_guard guard;
        wait_for_all();
    }).join();
}

void queue(stream_operation &&o) {
    static const int registered = atexit(perform_rest); /* a GPU finishes what it was given, too */
    (void)registered;
    const uint64_t number = o.number;
    const stream_operation &queued = all.pending.emplace(number, std::move(o)).first->second;
    close_host_pages_for(queued);
    if (read_async_mode() == RANDOM)
        perform_some();
    else if (all.pending.size() > MOST_PENDING)
        perform_one(all.pending.begin());
}

} // namespace

CUstream_st *find_stream(cudaStream_t handle) {
    runtime_guard guard;
    if (!handle)
        handle = cudacpu_default_stream_of_thread ? cudaStreamPerThread : cudaStreamLegacy;
    if (handle == cudaStreamLegacy)
        return &all.legacy;
    if (handle == cudaStreamPerThread)
        return thread_stream();
    return all.streams.count(handle) ? handle : nullptr;
}

CUstream_st *create_stream(unsigned flags, int priority) {
    runtime_guard guard;
    CUstream_st *stream = new CUstream_st{++all.created, take_slot(), flags, priority, 0, all.host};
    all.streams.insert(stream);
    return stream;
}

void destroy_stream(CUstream_st *stream) {
    runtime_guard guard;
    if (blocks(stream))
        all.destroyed.join(stream->order);
    all.unused_slots.push_back(stream->slot);
    all.streams.erase(stream);
    delete stream;
}

void forget_streams() {
    runtime_guard guard;
    std::vector<CUstream_st *> created;
    for (CUstream_st *stream : all.streams)
        if (stream->number != THREAD_STREAM)
            created.push_back(stream);
    for (CUstream_st *stream : created)
        destroy_stream(stream);
}

std::string name_stream(unsigned number) {
    return number == LEGACY_STREAM   ? "the default stream"
           : number == THREAD_STREAM ? "the default stream of the thread"
                                     : "stream " + std::to_string(number);
}

bool performs_at_once() { return !observing && read_async_mode() == EARLY; }

order issue(CUstream_st *stream, stream_operation &&o) {
    runtime_guard guard;
    join_default_stream(stream);
    o.number = ++all.issued;
    o.stream = stream->number;
    o.slot = stream->slot;
    o.tick = ++all.ticks[o.slot];
    stream->order.set(o.slot, o.tick);
    stream->asked = 0;
    o.order = stream->order;
    if (observing)
        observing->operation_issued(o);
    const order issued = o.order;
    if (read_async_mode() == EARLY)
        perform(o);
    else
        queue(std::move(o));
    return issued;
}

order order_of(CUstream_st *stream) {
    runtime_guard guard;
    join_default_stream(stream);
    return stream->order;
}

void order_after(CUstream_st *stream, const order &before) {
    runtime_guard guard;
    join_default_stream(stream);
    stream->order.join(before);
}

void wait_for(const order &what) {
    runtime_guard guard;
    perform_all([&](const stream_operation &o) { return what.covers(o.slot, o.tick); });
    all.host.join(what);
}

void wait_for_all() {
    runtime_guard guard;
    perform_all([](const stream_operation &) { return true; });
    for (unsigned slot = 1; slot < all.ticks.size(); slot++)
        all.host.set(slot, all.ticks[slot]);
}

bool is_done(const order &what, unsigned *asked) {
    runtime_guard guard;
    if (read_async_mode() == RANDOM)
        perform_some();
    for (const auto &entry : all.pending)
        if (what.covers(entry.second.slot, entry.second.tick)) {
            if (++*asked <= MOST_ASKED)
                return false;
            break;
        }
    *asked = 0;
    wait_for(what);
    return true;
}

void perform_before(uint64_t number) {
    runtime_guard guard;
    perform_all([=](const stream_operation &o) { return o.number < number; });
}

const order &host_order() { return all.host; }
uint64_t tick_host() {
    all.host.set(order::HOST, ++all.ticks[order::HOST]);
    return all.ticks[order::HOST];
}
const std::map<uint64_t, stream_operation> &pending_operations() { return all.pending; }

} // namespace cudacpu
