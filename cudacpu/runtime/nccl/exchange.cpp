/* exchange.cpp - posts calls, brings their data, and takes the others'. */
#include "exchange.h"
#include "communicator.h"
#include "runtime/host/devices.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/memory/allocation.h"
#include "runtime/memory/protection.h"
#include <cstring>
#include <memory>
#include <unistd.h>

namespace cudacpu {

/* ---- element types, and operations ---- */

namespace {

const struct {
    size_t size;
    const char *name;
} TYPES[] = {{1, "int8"},   {1, "uint8"},   {4, "int32"},   {4, "uint32"},  {8, "int64"},
             {8, "uint64"}, {2, "float16"}, {4, "float32"}, {8, "float64"}, {2, "bfloat16"}};
const char *const OPERATIONS[] = {"sum", "product", "maximum", "minimum", "average"};
const unsigned TYPE_COUNT = sizeof TYPES / sizeof *TYPES;

} // namespace

size_t size_of(ncclDataType_t type) { return (unsigned)type < TYPE_COUNT ? TYPES[type].size : 0; }
const char *name_of(ncclDataType_t type) { return TYPES[type].name; }
const char *name_of(ncclRedOp_t op) { return (unsigned)op < ncclNumOps ? OPERATIONS[op] : nullptr; }

/* ---- exchange ---- */

namespace {

bool is_collective(call_kind kind) { return kind != SEND && kind != RECEIVE; }

/* ---- data ---- */

void bring_data(ncclComm *comm, shared_call *c, const void *from) {
    if (char *data = make_data(c, comm->spans_processes)) {
        set_host_access(from, true);
        memcpy(data, from, c->bytes);
        set_host_access(from, false);
    }
}

/* A piece that this rank takes, bytes of another's data. */
struct piece {
    const char *from;
    size_t bytes;
    int rank;
};

void note_transfer(const ncclComm *comm, const piece &p, const char *to) {
    if (!observers::any())
        return;
    const shared_rank &other = comm->shared->rank[p.rank];
    if (p.rank != comm->rank)
        tell(&observer::transferred, other.device, comm->device, p.bytes);
    tell(&observer::host_wrote, to, p.bytes, p.bytes, 1);
}

void take_data(ncclComm *comm, const nccl_call &n, const shared_call &c) {
    const size_t bytes = c.count * size_of(c.type);
    std::vector<std::unique_ptr<sent_data>> sent((size_t)comm->ranks);
    auto data_of = [&](int rank) {
        const shared_call *other =
            rank == comm->rank ? &c : find_partner(comm->shared, c, comm->rank, rank);
        if (!sent[(size_t)rank])
            sent[(size_t)rank].reset(new sent_data(*other, comm->shared->rank[rank].process));
        if (!sent[(size_t)rank]->data)
            fail_unreadable(comm, c, rank);
        return sent[(size_t)rank]->data;
    };
    char *to = static_cast<char *>(n.receive);
    set_host_access(to, true);
    auto copy = [&](char *where, int rank, const char *from) {
        memcpy(where, from, bytes);
        note_transfer(comm, {from, bytes, rank}, where);
    };
    if (c.kind == BROADCAST) {
        copy(to, c.root, data_of(c.root));
    } else if (c.kind == RECEIVE) {
        /* the one that is met, which may be this rank's own */
        const shared_call *other = find_partner(comm->shared, c, comm->rank, c.root);
        const sent_data data(*other, comm->shared->rank[c.root].process);
        if (!data.data)
            fail_unreadable(comm, c, c.root);
        copy(to, c.root, data.data);
    } else if (c.kind == ALL_GATHER) {
        for (int r = 0; r < comm->ranks; r++)
            copy(to + (size_t)r * bytes, r, data_of(r));
    } else {
        std::vector<const void *> from;
        const size_t begin = c.kind == REDUCE_SCATTER ? (size_t)comm->rank * bytes : 0;
        for (int r = 0; r < comm->ranks; r++) {
            from.push_back(data_of(r) + begin);
            note_transfer(comm, {data_of(r) + begin, bytes, r}, to);
        }
        n.reduce(to, from, c.count, c.type, c.op);
    }
    set_host_access(to, false);
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
        for (int partner : partners_of(c, comm->rank, comm->ranks))
            find_partner(comm->shared, c, comm->rank, partner)->users--;
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
        fail_communicator(comm->shared, comm->rank,
                          "rank " + std::to_string(comm->rank) + ": cudacpu has room for " +
                              std::to_string((int)shared_rank::RING) + " calls in a group");
    wait_for(stream_clock(local->second.completes));
    for (release_calls(comm); oldest.state != NOT_CALLED; release_calls(comm))
        wait_for_partners(comm, oldest.number, TO_COMPLETE);
}

uint64_t post(const nccl_call &n) {
    ncclComm *comm = n.comm;
    shared_rank &me = comm->mine();
    const uint64_t number = me.posted + 1;
    shared_call &c = comm->call(number);
    end_if_failed(comm);
    make_room(comm, c);
    c.kind = n.kind;
    c.type = n.type;
    c.op = n.op;
    c.root = n.root;
    c.count = n.count;
    c.number = number;
    c.match = n.kind == SEND      ? ++comm->sent[n.root]
              : n.kind == RECEIVE ? ++comm->received[n.root]
                                  : ++comm->collectives;
    c.caller = (uintptr_t)n.caller - program_base();
    c.thread = gettid();
    c.in_group = n.in_group;
    c.bytes = bytes_sent(n);
    c.data = nullptr;
    c.demand = NO_DEMAND;
    c.users = (int)partners_of(c, comm->rank, comm->ranks).size();
    comm->calls[number] = {};
    me.thread = c.thread;
    c.state = POSTED;
    me.posted = number;
    note_running(comm);
    for (int partner : partners_of(c, comm->rank, comm->ranks))
        if (const shared_call *other = find_partner(comm->shared, c, comm->rank, partner))
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
            return comm->aborted ||
                   have_partners_arrived(comm->shared, comm->call(number), comm->rank, comm->ranks);
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

std::vector<int> partners_of(const shared_call &c, int rank, int ranks) {
    if (!is_collective(c.kind))
        return {c.root};
    std::vector<int> all;
    for (int r = 0; r < ranks; r++)
        if (r != rank)
            all.push_back(r);
    return all;
}

shared_call *find_partner(const nccl_segment *shared, const shared_call &c, int rank, int partner) {
    const shared_rank &other = shared->rank[partner];
    const uint64_t posted = other.posted;
    const bool collective = is_collective(c.kind);
    for (uint64_t number = posted; number > 0 && number + shared_rank::RING > posted; number--) {
        const shared_call &o = other.calls[(number - 1) % shared_rank::RING];
        if (o.number == number && o.state != NOT_CALLED && o.match == c.match &&
            (collective ? is_collective(o.kind)
                        : o.kind == (c.kind == SEND ? RECEIVE : SEND) && o.root == rank))
            return const_cast<shared_call *>(&o);
    }
    return nullptr;
}

bool have_partners_arrived(const nccl_segment *shared, const shared_call &c, int rank, int ranks) {
    for (int partner : partners_of(c, rank, ranks)) {
        const shared_call *other = find_partner(shared, c, rank, partner);
        if (!other || other->state < ARRIVED)
            return false;
    }
    return true;
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
