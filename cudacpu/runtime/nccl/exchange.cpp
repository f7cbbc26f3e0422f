/* exchange.cpp - posts calls, brings their data, and takes the others'. */
#include "exchange.h"
#include "communicator.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/memory/allocation.h"
#include "runtime/memory/protection.h"
#include <cstring>
#include <memory>
#include <unistd.h>

namespace cudacpu {

/* ---- element types, and operations ---- */

static const struct {
    size_t size;
    const char *name;
} TYPES[] = {{1, "int8"},   {1, "uint8"},   {4, "int32"},   {4, "uint32"},  {8, "int64"},
             {8, "uint64"}, {2, "float16"}, {4, "float32"}, {8, "float64"}, {2, "bfloat16"}};
static const char *const OPERATIONS[] = {"sum", "product", "maximum", "minimum", "average"};

size_t size_of(ncclDataType_t type) {
    return (size_t)type < std::size(TYPES) ? TYPES[type].size : 0;
}
const char *name_of(ncclDataType_t type) { return TYPES[type].name; }
const char *name_of(ncclRedOp_t op) { return (unsigned)op < ncclNumOps ? OPERATIONS[op] : nullptr; }

/* ---- exchange ---- */

namespace {

bool is_collective(call_kind kind) { return kind != SEND && kind != RECEIVE; }

void bring_data(ncclComm *comm, shared_call *c, const void *from) {
    if (char *data = make_data(c, comm->spans_processes)) {
        set_host_access(from, true);
        memcpy(data, from, c->bytes);
        set_host_access(from, false);
    }
}

void take_data(ncclComm *comm, const nccl_call &n, const shared_call &c) {
    const size_t bytes = c.count * size_of(c.type);
    const bool from_one = c.kind == BROADCAST || c.kind == RECEIVE;
    std::vector<std::shared_ptr<const char>> sent;
    std::vector<const void *> from;
    set_host_access(n.receive, true);
    for (int r = from_one ? c.root : 0; r < (from_one ? c.root + 1 : comm->ranks); r++) {
        const shared_rank &giver = comm->shared->rank[r];
        const shared_call *other =
            r == comm->rank && is_collective(c.kind) ? &c : find_partner(comm, c, comm->rank, r);
        sent.push_back(read_data(*other, giver.process));
        if (!sent.back())
            fail_unreadable(comm, c, r);
        from.push_back(sent.back().get() +
                       (c.kind == REDUCE_SCATTER ? (size_t)comm->rank * bytes : 0));
        char *to = static_cast<char *>(n.receive) + (c.kind == ALL_GATHER ? (size_t)r * bytes : 0);
        if (!n.reduce)
            memcpy(to, from.back(), bytes);
        if (observers::any() && r != comm->rank)
            tell(&observer::transferred, giver.device, comm->device, bytes);
        tell(&observer::host_wrote, to, bytes, bytes, 1);
    }
    if (n.reduce)
        n.reduce(n.receive, from, c.count, c.type, c.op);
    set_host_access(n.receive, false);
}

/* ---- the two operations ---- */

void note_running(ncclComm *comm) {
    comm->mine().state = RUNNING;
    comm->shared->progress++;
}

void arrive(const nccl_call &n, uint64_t number, const stream_operation &self) {
    shared_call &c = n.comm->call(number);
    if (c.bytes && !n.comm->aborted) {
        if (!lie_on_side(n.send, c.bytes, true))
            fail_lost_memory(self);
        else
            bring_data(n.comm, &c, n.send);
    }
    c.state = ARRIVED;
    note_running(n.comm);
}

void complete(const nccl_call &n, uint64_t number, const stream_operation &self) {
    ncclComm *comm = n.comm;
    shared_call &c = comm->call(number);
    const size_t bytes = bytes_received(n);
    if (!comm->aborted) {
        if (bytes && !lie_on_side(n.receive, bytes, true))
            fail_lost_memory(self);
        else if (bytes)
            take_data(comm, n, c);
        for (int partner : partners_of(comm, c, comm->rank))
            find_partner(comm, c, comm->rank, partner)->users--;
    }
    c.state = COMPLETE;
    note_running(comm);
    release_calls(comm);
}

/* ---- posting ---- */

/* The rank's next call is kept where this one is, the oldest. */
void make_room(ncclComm *comm, const shared_call &oldest) {
    const auto local = comm->calls.find(oldest.number);
    if (oldest.state == NOT_CALLED || local == comm->calls.end())
        return;
    if (local->second.issued < 2)
        fail_communicator(comm, name_rank(comm->rank), ": cudacpu has room for ", shared_rank::RING,
                          " calls in a group");
    wait_for(stream_clock(local->second.completes));
    for (release_calls(comm); oldest.state != NOT_CALLED; release_calls(comm))
        wait_for_partners(comm, oldest.number, TO_COMPLETE);
    waits_for_ranks = false; /* what comes next may be a launch that is no operation */
}

uint64_t post(const nccl_call &n) {
    ncclComm *comm = n.comm;
    shared_rank &me = comm->mine();
    const uint64_t number = me.posted + 1;
    shared_call &c = comm->call(number);
    end_if_failed(comm);
    make_room(comm, c);
    static_cast<call_words &>(c) = n;
    c.number = number;
    c.match = n.kind == SEND      ? ++comm->sent[n.root]
              : n.kind == RECEIVE ? ++comm->received[n.root]
                                  : ++comm->collectives;
    c.caller = (uintptr_t)n.caller - program_base();
    c.thread = gettid();
    c.bytes = bytes_sent(n);
    c.data = nullptr;
    c.demand = NO_DEMAND;
    c.users = (int)partners_of(comm, c, comm->rank).size();
    comm->calls[number] = {};
    me.thread = c.thread;
    c.state = POSTED;
    me.posted = number;
    note_running(comm);
    for (int partner : partners_of(comm, c, comm->rank))
        if (const shared_call *other = find_partner(comm, c, comm->rank, partner))
            check_partner(comm, c, partner, *other);
    return number;
}

stream_clock issue_part(const nccl_call &n, uint64_t number, bool first) {
    stream_operation o = make_operation(name_of(n.kind), n.caller);
    const size_t bytes = first ? bytes_sent(n) : bytes_received(n);
    if (bytes)
        o.uses.push_back({first ? n.send : n.receive, bytes, bytes, 1, !first});
    if (first) {
        o.perform = [n, number](const stream_operation &self) { arrive(n, number, self); };
    } else {
        ncclComm *comm = n.comm;
        o.perform = [n, number](const stream_operation &self) { complete(n, number, self); };
        o.may_begin = [comm, number] {
            return comm->aborted || find_missing(comm, comm->call(number), comm->rank).empty();
        };
        o.wait = [comm, number] { wait_for_partners(comm, number, TO_ARRIVE); };
    }
    return issue(n.stream, std::move(o));
}

} // namespace

size_t bytes_sent(const nccl_call &c) {
    const size_t bytes = c.count * size_of(c.type);
    if (c.kind == RECEIVE || (c.kind == BROADCAST && c.root != c.comm->rank))
        return 0;
    return c.kind == REDUCE_SCATTER ? (size_t)c.comm->ranks * bytes : bytes;
}

size_t bytes_received(const nccl_call &c) {
    const size_t bytes = c.count * size_of(c.type);
    if (c.kind == SEND || (c.kind == REDUCE && c.root != c.comm->rank))
        return 0;
    return c.kind == ALL_GATHER ? (size_t)c.comm->ranks * bytes : bytes;
}

std::vector<int> partners_of(const ncclComm *comm, const shared_call &c, int rank) {
    if (!is_collective(c.kind))
        return {c.root};
    std::vector<int> all;
    for (int r = 0; r < comm->ranks; r++)
        if (r != rank)
            all.push_back(r);
    return all;
}

shared_call *find_partner(const ncclComm *comm, const shared_call &c, int rank, int partner) {
    shared_rank &other = comm->shared->rank[partner];
    const uint64_t posted = other.posted;
    const bool collective = is_collective(c.kind);
    for (uint64_t number = posted; number > 0 && number + shared_rank::RING > posted; number--) {
        shared_call &o = other.call(number);
        if (o.number == number && o.state != NOT_CALLED && o.match == c.match &&
            (collective ? is_collective(o.kind)
                        : o.kind == (c.kind == SEND ? RECEIVE : SEND) && o.root == rank))
            return &o;
    }
    return nullptr;
}

std::vector<int> find_missing(const ncclComm *comm, const shared_call &c, int rank) {
    std::vector<int> missing;
    for (int partner : partners_of(comm, c, rank)) {
        const shared_call *other = find_partner(comm, c, rank, partner);
        if (!other || other->state < ARRIVED)
            missing.push_back(partner);
    }
    return missing;
}

bool release_calls(ncclComm *comm) {
    for (auto at = comm->calls.begin(); at != comm->calls.end();) {
        shared_call &c = comm->call(at->first);
        if (c.state == COMPLETE && (c.users <= 0 || comm->aborted)) {
            forget_data(&c);
            c.state = NOT_CALLED;
            at = comm->calls.erase(at);
        } else {
            ++at;
        }
    }
    return comm->calls.empty();
}

void issue_calls(const std::vector<nccl_call> &calls) {
    runtime_guard guard;
    std::vector<uint64_t> numbers;
    for (const nccl_call &n : calls)
        numbers.push_back(post(n));
    for (int part = 0; part < 2; part++)
        for (size_t i = 0; i < calls.size(); i++) {
            const stream_clock issued = issue_part(calls[i], numbers[i], part == 0);
            const auto local = calls[i].comm->calls.find(numbers[i]);
            if (local == calls[i].comm->calls.end())
                continue; /* it is done */
            (part == 0 ? local->second.arrives : local->second.completes) = issued;
            local->second.issued++;
        }
}

} // namespace cudacpu
