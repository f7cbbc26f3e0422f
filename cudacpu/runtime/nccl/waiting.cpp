/* waiting.cpp - demands between ranks, and when waiting is in vain. */
#include "communicator.h"
#include "exchange.h"
#include "runtime/host/machine.h"
#include "runtime/host/process.h"
#include "runtime/streams/stream_queue.h"
#include <algorithm>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace cudacpu {
namespace {

const unsigned MOMENT = 200; /* microseconds */
/* So often every rank must have looked in vain, since something happened. */
const unsigned LOOKS = 5;
const unsigned PATIENCE = 60; /* seconds */

void demand_partners(const ncclComm *comm, const shared_call &c, call_demand demand) {
    for (int partner : partners_of(comm, c, comm->rank))
        if (shared_call *other = find_partner(comm, c, comm->rank, partner))
            if (other->demand < demand)
                other->demand = demand;
}

bool is_demanded(const shared_call &c) {
    return (c.state == POSTED && c.demand >= TO_ARRIVE) ||
           (c.state == ARRIVED && c.demand >= TO_COMPLETE);
}

/* Does what other ranks wait for, of all ranks of this process, as far as it can be done. What
 * stands before it may need others in turn. */
void serve_rank(ncclComm *comm) {
    bool any = false;
    for (const auto &local : comm->calls)
        any |= is_demanded(comm->call(local.first));
    if (!any)
        return;
    const auto calls = comm->calls; /* some will be done */
    comm->mine().busy++;
    for (const auto &local : calls) {
        const shared_call &c = comm->call(local.first);
        if (c.number != local.first || c.state == NOT_CALLED)
            continue;
        if (c.state == ARRIVED)
            demand_partners(comm, c, TO_ARRIVE);
        if (c.demand >= TO_ARRIVE && local.second.issued >= 1)
            perform_if_ready(local.second.arrives);
        if (c.demand >= TO_COMPLETE && local.second.issued == 2)
            perform_if_ready(local.second.completes);
    }
    comm->mine().busy--;
}

void serve() {
    const std::set<ncclComm *> all = communicators();
    for (ncclComm *comm : all)
        if (communicators().count(comm))
            serve_rank(comm);
}

/* ---- is it in vain? ---- */

/* Since when has nothing happened? */
struct vain {
    const nccl_segment *shared;
    uint64_t number, progress, alive;
    double seconds;
    uint64_t looked[nccl_segment::MOST_RANKS];
};

/* Has every rank looked, while nothing happened, and found that it cannot go on? */
bool is_deadlock(const ncclComm *comm, const vain &v) {
    for (int rank = 0; rank < comm->ranks; rank++) {
        const shared_rank &r = comm->shared->rank[rank];
        if (r.state == LEFT)
            continue;
        if (r.state != WAITING || r.busy || r.looked < v.looked[rank] + LOOKS ||
            find_missing(comm, r.call(r.waits_for), rank).empty())
            return false;
    }
    return comm->shared->progress == v.progress;
}

void look_for_faults(ncclComm *comm, const shared_call &c, call_demand demand) {
    static thread_local vain v;
    bool busy = false;
    for (int rank = 0; rank < comm->ranks; rank++)
        busy |= comm->shared->rank[rank].busy != 0;
    if (v.shared != comm->shared || v.number != c.number || v.progress != comm->shared->progress ||
        busy) {
        v.shared = comm->shared;
        v.number = c.number;
        v.progress = comm->shared->progress;
        v.seconds = 0;
        for (int rank = 0; rank < comm->ranks; rank++)
            v.looked[rank] = comm->shared->rank[rank].looked;
    }
    v.seconds = v.alive == comm->shared->alive ? v.seconds + 1e-6 * MOMENT : 0;
    v.alive = comm->shared->alive;
    if (demand == TO_ARRIVE && comm->mine().looked % 100 == 0)
        check_missing(comm, c);
    if (demand == TO_ARRIVE && is_deadlock(comm, v)) {
        check_missing(comm, c); /* says more */
        fail_deadlocked(comm);
    }
    if (v.seconds > patience())
        fail_patience(comm, c, patience());
}

/* A call of the rank that is to be completed, for what it waits while another call is waited for.
 */
uint64_t find_waiting_call(const shared_rank &r) {
    const uint64_t posted = r.posted;
    uint64_t oldest = posted;
    for (uint64_t number = posted; number > 0 && number + shared_rank::RING > posted; number--) {
        const shared_call &c = r.call(number);
        if (c.number == number && (c.state == POSTED || c.state == ARRIVED))
            oldest = number;
    }
    return oldest;
}

std::mutex served_lock;
std::set<nccl_segment *> &served = *new std::set<nccl_segment *>();

} // namespace

unsigned patience() {
    static const unsigned seconds =
        (unsigned)read_setting("CUDACPU_NCCL_TIMEOUT", PATIENCE, 1, 1000000);
    return seconds;
}

void wait_for_partners(ncclComm *comm, uint64_t number, call_demand demand) {
    const shared_call &c = comm->call(number);
    demand_partners(comm, c, demand);
    const uint64_t before = comm->shared->progress;
    serve();
    end_if_failed(comm);
    if (comm->shared->progress != before)
        return;
    for (int rank = 0; rank < comm->ranks; rank++) {
        shared_rank &r = comm->shared->rank[rank];
        const bool own = rank == comm->rank;
        if (!own && (r.process != getpid() || r.thread != gettid() || r.state == LEFT))
            continue; /* all ranks for which this OS thread has made calls wait with it */
        r.waits_for = own ? number : find_waiting_call(r);
        r.state = WAITING;
        r.looked++;
    }
    waits_for_ranks = false;
    {
        runtime_unlocked others;
        usleep(MOMENT);
    }
    waits_for_ranks = true;
    if (comm->shared->progress == before) /* else the call may be done, and its partners gone */
        look_for_faults(comm, c, demand);
}

void settle(ncclComm *comm) {
    for (const auto &local : std::map<uint64_t, local_call>(comm->calls))
        wait_for(local.second.completes);
    wait_for_takers(comm);
}

void wait_for_takers(ncclComm *comm) {
    double waited = 0;
    while (!release_calls(comm) && waited < patience()) {
        const auto complete =
            std::find_if(comm->calls.begin(), comm->calls.end(), [comm](const auto &local) {
                return comm->call(local.first).state == COMPLETE;
            });
        if (complete == comm->calls.end())
            return;
        const shared_call &c = comm->call(complete->first);
        bool gone = false, here = false;
        for (int partner : partners_of(comm, c, comm->rank)) {
            gone |= is_gone(comm->shared->rank[partner]);
            here |= comm->shared->rank[partner].state != LEFT;
        }
        if (gone || !here || comm->shared->failed)
            return;
        demand_partners(comm, c, TO_COMPLETE);
        serve();
        runtime_unlocked others;
        usleep(MOMENT);
        waited += 1e-6 * MOMENT;
    }
}

void start_server(nccl_segment *shared) {
    static pid_t serves; /* the process */
    {
        std::lock_guard<std::mutex> guard(served_lock);
        served.insert(shared);
    }
    if (serves == getpid())
        return;
    serves = getpid();
    std::thread([] {
        for (;;) {
            usleep(5 * MOMENT);
            if (!try_lock_runtime()) {
                if (waits_for_ranks)
                    continue;
                std::lock_guard<std::mutex> guard(served_lock);
                for (nccl_segment *shared : served)
                    shared->alive++;
                continue;
            }
            serve();
            for (const ncclComm *comm : communicators())
                end_if_failed(comm);
            unlock_runtime();
        }
    }).detach();
}

} // namespace cudacpu
