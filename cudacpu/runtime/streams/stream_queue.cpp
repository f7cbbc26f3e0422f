/* stream_queue.cpp - which operation may be done, and which is done next. */
#include "stream_queue.h"
#include "async_mode.h"
#include "host_pages.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/host/symbolizer.h"
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <set>
#include <thread>

namespace cudacpu {
namespace {

/* The longest queue: then the oldest operation is done. */
const size_t MOST_PENDING = 1024;
/* So often a query says in LATE that something is not done. */
const unsigned MOST_ASKED = 3;

struct queues {
    std::map<uint64_t, stream_operation> pending;
    uint64_t issued = 0;
    stream_clock host;
    std::vector<uint64_t> ticks = {0};    /* the last of each slot */
    std::vector<int> slot_devices = {-1}; /* whose stream has, or had, it */
    std::vector<unsigned> unused_slots;
    std::set<CUstream_st *> streams;     /* all but the legacy ones */
    CUstream_st *legacy[MAX_DEVICES];    /* NULL: not used yet */
    stream_clock destroyed[MAX_DEVICES]; /* of blocking streams that are no more */
    unsigned created = 0;
};
typedef std::map<uint64_t, stream_operation>::iterator pending_operation;
/* Never destroyed: at the program's end there may be work left. */
queues &all = *new queues();

bool blocks(const CUstream_st *stream) { return stream->flags == cudaStreamDefault; }

unsigned take_slot(int device) {
    for (size_t i = 0; i < all.unused_slots.size(); i++) {
        const unsigned slot = all.unused_slots[i];
        if (all.slot_devices[slot] != device || !all.host.covers(slot, all.ticks[slot]))
            continue; /* the new stream's operations would come after the old one's */
        all.unused_slots.erase(all.unused_slots.begin() + (ptrdiff_t)i);
        return slot;
    }
    all.ticks.push_back(0);
    all.slot_devices.push_back(device);
    return (unsigned)all.ticks.size() - 1;
}

CUstream_st *make_stream(unsigned number, unsigned flags, int device, int priority) {
    return new CUstream_st{number, take_slot(device), flags, device, priority, 0, {}};
}

/* The default streams of an OS thread, by device, are destroyed after it has ended, when the next
 * one makes one: it ends without the runtime's lock, which a launch may hold for long. */
typedef std::array<CUstream_st *, MAX_DEVICES> thread_streams;
std::vector<thread_streams *> &ended = *new std::vector<thread_streams *>();
std::mutex ended_lock;

void end_thread_streams(void *own) {
    std::lock_guard<std::mutex> guard(ended_lock);
    ended.push_back((thread_streams *)own);
}

void destroy_ended_streams() {
    std::lock_guard<std::mutex> guard(ended_lock);
    for (thread_streams *of_thread : ended) {
        for (CUstream_st *stream : *of_thread)
            if (stream)
                destroy_stream(stream);
        delete of_thread;
    }
    ended.clear();
}

CUstream_st *thread_stream(int device) {
    static const pthread_key_t key = [] {
        pthread_key_t made = 0;
        pthread_key_create(&made, end_thread_streams);
        return made;
    }();
    thread_streams *own = (thread_streams *)pthread_getspecific(key);
    if (!own)
        pthread_setspecific(key, own = new thread_streams());
    CUstream_st *&stream = (*own)[(size_t)device];
    if (!stream) {
        destroy_ended_streams();
        stream = make_stream(THREAD_STREAM, cudaStreamDefault, device, 0);
        all.streams.insert(stream);
    }
    return stream;
}

/* The legacy stream and the blocking ones of its device wait for each other. */
void join_default_stream(CUstream_st *stream) {
    stream->order.join(all.host);
    CUstream_st *legacy = legacy_stream(stream->device);
    if (stream == legacy) {
        stream->order.join(all.destroyed[stream->device]);
        for (const CUstream_st *other : all.streams)
            if (blocks(other) && other->device == stream->device)
                stream->order.join(other->order);
    } else if (blocks(stream)) {
        stream->order.join(legacy->order);
    }
}

/* What stands before it has a smaller number. */
bool is_ready(const stream_operation &o) {
    for (const auto &entry : all.pending) {
        const stream_operation &other = entry.second;
        if (other.number >= o.number)
            break;
        if (o.order.covers(other.slot, other.tick))
            return false;
    }
    return true;
}

bool may_begin(const stream_operation &o) { return !o.may_begin || o.may_begin(); }

void perform(const stream_operation &o) {
    waits_for_ranks = false;
    device_scope scope(o.device);
    if (sticky_error())
        return; /* as after a GPU's fault: nothing else is done */
    tell(&observer::operation_begins, o);
    o.perform(o);
    tell_end(&observer::operation_ends, o);
}

void perform_pending(pending_operation at) {
    const stream_operation o = std::move(at->second);
    all.pending.erase(at);
    perform(o);
}

void perform_one(pending_operation at) {
    open_host_pages();
    perform_pending(at);
    close_host_pages();
}

typedef std::function<void()> waiting;

/* LATE: of those that are wanted, the one that was issued last: as far from the program's order as
 * is allowed. RANDOM: any that may be done. None, though some are wanted: *blocked waits for one.
 */
template <class Wanted> pending_operation choose(Wanted wanted, waiting *blocked) {
    const bool random = read_async_mode() == RANDOM;
    std::vector<pending_operation> ready;
    bool any = false;
    *blocked = nullptr;
    for (auto at = all.pending.end(); at != all.pending.begin();) {
        --at;
        const bool is_wanted = wanted(at->second);
        any |= is_wanted;
        if (!(random || is_wanted) || !is_ready(at->second))
            continue;
        if (!may_begin(at->second)) {
            if (is_wanted)
                *blocked = at->second.wait;
            continue;
        }
        if (!random)
            return at;
        ready.push_back(at);
    }
    return any && !ready.empty() ? ready[draw((unsigned)ready.size())] : all.pending.end();
}

/* All that can be done now; returns how to wait for the rest, or nothing. */
template <class Wanted> waiting perform_ready(Wanted wanted) {
    waiting blocked;
    if (all.pending.empty())
        return blocked;
    open_host_pages();
    for (auto next = choose(wanted, &blocked); next != all.pending.end();
         next = choose(wanted, &blocked))
        perform_pending(next);
    close_host_pages();
    return blocked;
}

template <class Wanted> void perform_all(Wanted wanted) {
    while (const waiting wait = perform_ready(wanted))
        wait();
}

void perform_some() {
    waiting blocked;
    while (!all.pending.empty() && draw(2)) {
        const auto next = choose([](const stream_operation &) { return true; }, &blocked);
        if (next == all.pending.end())
            return;
        perform_one(next);
    }
}

void queue(stream_operation &&o) {
    static const int registered = atexit(perform_rest); /* a GPU finishes what it was given, too */
    (void)registered;
    const uint64_t number = o.number;
    const stream_operation &queued = all.pending.emplace(number, std::move(o)).first->second;
    close_host_pages_for(queued);
    if (read_async_mode() == RANDOM)
        perform_some();
    else if (all.pending.size() > MOST_PENDING && may_begin(all.pending.begin()->second))
        perform_one(all.pending.begin());
}

std::atomic<bool> ends;

} // namespace

const stream_capture *capturing;
std::atomic<bool> waits_for_ranks;

bool does_program_end() { return ends; }

/* In a thread of its own: at exit the program's has no thread-local objects any more, and kernels
 * need them. */
void perform_rest() {
    ends = true;
    std::thread([] {
        runtime_guard guard;
        wait_for_all();
    }).join();
}

CUstream_st *find_stream(cudaStream_t handle) {
    runtime_guard guard;
    if (!handle || handle == cudaStreamLegacy)
        return legacy_stream(current_device());
    if (handle == cudaStreamPerThread)
        return thread_stream(current_device());
    return all.streams.count(handle) ? handle : nullptr;
}

cudaError_t get_stream(cudaStream_t handle, CUstream_st **stream) {
    *stream = find_stream(handle);
    return sticky_error() ? sticky_error() : *stream ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

CUstream_st *legacy_stream(int device) {
    runtime_guard guard;
    if (!all.legacy[device])
        all.legacy[device] = make_stream(LEGACY_STREAM, cudaStreamDefault, device, 0);
    return all.legacy[device];
}

CUstream_st *create_stream(unsigned flags, int priority) {
    runtime_guard guard;
    CUstream_st *stream = make_stream(++all.created, flags, current_device(), priority);
    stream->order = all.host;
    all.streams.insert(stream);
    return stream;
}

void destroy_stream(CUstream_st *stream) {
    runtime_guard guard;
    if (blocks(stream))
        all.destroyed[stream->device].join(stream->order);
    all.unused_slots.push_back(stream->slot);
    all.streams.erase(stream);
    delete stream;
}

void forget_streams(int device) {
    runtime_guard guard;
    std::vector<CUstream_st *> created;
    for (CUstream_st *stream : all.streams)
        if (stream->number != THREAD_STREAM && stream->device == device)
            created.push_back(stream);
    for (CUstream_st *stream : created)
        destroy_stream(stream);
}

std::string name_stream(unsigned number) {
    return number == LEGACY_STREAM   ? "the default stream"
           : number == THREAD_STREAM ? "the default stream of the thread"
                                     : text("stream ", number);
}

bool performs_at_once() {
    return !follows_accesses && read_async_mode() == EARLY && !captures_anything();
}

stream_clock issue(CUstream_st *stream, stream_operation &&o) {
    runtime_guard guard;
    if (captures_anything() && capturing->capture(stream, o))
        return all.host;
    join_default_stream(stream);
    o.number = ++all.issued;
    o.stream = stream->number;
    o.device = stream->device;
    o.slot = stream->slot;
    o.tick = ++all.ticks[o.slot];
    stream->order.set(o.slot, o.tick);
    stream->asked = 0;
    o.order = stream->order;
    o.primary = o.begins_early ? stream->last_kernel : 0;
    o.overlaps = o.primary && !follows_accesses && happens_late();
    stream->last_kernel = o.is_kernel() ? o.number : 0;
    tell(&observer::operation_issued, o);
    const stream_clock issued = o.order;
    if (read_async_mode() == EARLY) {
        while (!may_begin(o))
            o.wait();
        perform(o);
    } else {
        queue(std::move(o));
    }
    return issued;
}

stream_clock order_of(CUstream_st *stream) {
    runtime_guard guard;
    join_default_stream(stream);
    return stream->order;
}

void order_after(CUstream_st *stream, const stream_clock &before) {
    runtime_guard guard;
    join_default_stream(stream);
    stream->order.join(before);
}

/* The operations that the order covers. */
static auto is_covered_by(const stream_clock &what) { /* a copy: others may run meanwhile */
    return [what](const stream_operation &o) { return what.covers(o.slot, o.tick); };
}

void perform_if_ready(const stream_clock &what) {
    runtime_guard guard;
    perform_ready(is_covered_by(what));
}

void wait_for(const stream_clock &what) {
    runtime_guard guard;
    perform_all(is_covered_by(what));
    all.host.join(what);
}

void wait_for_device(int device) {
    runtime_guard guard;
    stream_clock what = legacy_stream(device)->order;
    for (const CUstream_st *stream : all.streams)
        if (stream->device == device)
            what.join(stream->order);
    for (const auto &entry : all.pending) /* of streams that are no more, too */
        if (entry.second.device == device)
            what.join(entry.second.order);
    for (unsigned slot = 1; slot < all.ticks.size(); slot++)
        if (all.slot_devices[slot] == device)
            what.set(slot, all.ticks[slot]);
    wait_for(what);
}

void wait_for_all() {
    runtime_guard guard;
    perform_all([](const stream_operation &) { return true; });
    for (unsigned slot = 1; slot < all.ticks.size(); slot++)
        all.host.set(slot, all.ticks[slot]);
}

bool is_done(const stream_clock &what, unsigned *asked) {
    runtime_guard guard;
    if (read_async_mode() == RANDOM)
        perform_some();
    for (const auto &entry : all.pending)
        if (what.covers(entry.second.slot, entry.second.tick)) {
            if (++*asked <= MOST_ASKED)
                return false;
            if (const waiting wait = perform_ready(is_covered_by(what))) {
                wait();
                return false;
            }
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

static pending_operation find_dependent(uint64_t primary) {
    auto at = all.pending.begin();
    while (at != all.pending.end() && !(at->second.overlaps && at->second.primary == primary))
        ++at;
    return at;
}

/* Both are asked by any OS thread of a launch, which holds the lock. */
bool has_dependent(uint64_t primary) { return find_dependent(primary) != all.pending.end(); }
bool take_dependent(uint64_t primary, stream_operation *dependent) {
    const auto at = find_dependent(primary);
    if (at == all.pending.end() || !is_ready(at->second))
        return false;
    *dependent = std::move(at->second);
    all.pending.erase(at);
    return true;
}

const stream_clock &host_order() { return all.host; }
uint64_t tick_host() {
    all.host.set(stream_clock::HOST, ++all.ticks[stream_clock::HOST]);
    return all.ticks[stream_clock::HOST];
}
const std::map<uint64_t, stream_operation> &pending_operations() { return all.pending; }

/* ---- what is said of an operation ---- */

std::string name_operation(const stream_operation &o) {
    const std::string place = o.is_kernel() ? text(o) : find_place((char *)o.caller - 1);
    return text(o.is_kernel() ? "kernel " : "", o.name,
                place.empty() ? " in " : " (" + place + ") in ", name_stream(o.stream),
                of_device(o.device));
}

void fail_lost_memory(const stream_operation &o) {
    const std::string message = name_operation(o) + ": its memory was freed before it was done";
    fflush(stdout);
    say(message);
    tell(&observer::fault, "freed while in use", "", 0, message.c_str());
    make_sticky(cudaErrorIllegalAddress);
}

} // namespace cudacpu
