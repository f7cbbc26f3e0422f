/* faults.cpp - which rank waits where, for whom. */
#include "communicator.h"
#include "exchange.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/host/symbolizer.h"
#include "runtime/streams/stream_queue.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace cudacpu {

const char *name_of(call_kind kind) {
    static const char *const NAMES[] = {"ncclBroadcast", "ncclAllGather",     "ncclReduce",
                                        "ncclAllReduce", "ncclReduceScatter", "ncclSend",
                                        "ncclRecv"};
    return NAMES[kind];
}

std::string name_place(const ncclComm *comm, uint64_t caller) {
    const std::string place = comm->shared->program == program_bytes()
                                  ? find_place((char *)(program_base() + caller) - 1)
                                  : "";
    return place.empty() ? "" : " (" + place + ")";
}

std::string name_call(const ncclComm *comm, const shared_call &c) {
    return name_of(c.kind) + name_place(comm, c.caller);
}

std::string name_rank(int rank) { return text("rank ", rank); }

void end_if_failed(const ncclComm *comm) {
    if (comm->shared->failed)
        end_with(name_rank(comm->rank), " ends: another rank has said why");
}

void end_communicator(const ncclComm *comm, const std::string &sentence) {
    if (comm->shared->failed.exchange(1))
        end_if_failed(comm);
    fflush(stdout);
    say(sentence);
    tell(&observer::fault, "communicator", "", 0, sentence.c_str());
    end_process(1);
}

namespace {

/* "ncclReduce of 100 float32 (sum) to rank 2 (file:line)" */
std::string describe(const ncclComm *comm, const shared_call &c) {
    const bool reduces = c.kind == REDUCE || c.kind == ALL_REDUCE || c.kind == REDUCE_SCATTER;
    return text(name_of(c.kind), " of ", c.count, " ", name_of(c.type),
                reduces ? text(" (", name_of(c.op), ")") : "",
                c.kind == SEND || c.kind == REDUCE         ? " to " + name_rank(c.root)
                : c.kind == RECEIVE || c.kind == BROADCAST ? " from " + name_rank(c.root)
                                                           : "",
                name_place(comm, c.caller));
}

std::string describe_group(const ncclComm *comm, const shared_rank &r) {
    return "a group that it has not ended: ncclGroupStart" + name_place(comm, r.group);
}

/* What the rank does instead. */
std::string describe_absent(const ncclComm *comm, int rank) {
    const shared_rank &r = comm->shared->rank[rank];
    const uint64_t posted = r.posted;
    if (r.group)
        return "is in " + describe_group(comm, r);
    if (!posted)
        return "has called nothing yet";
    return "has last called " + name_call(comm, r.call(posted));
}

std::string name_ranks(const std::vector<int> &ranks) {
    std::string all = ranks.size() > 1 ? "ranks " : "rank ";
    for (size_t i = 0; i < ranks.size(); i++)
        all += text(i == 0 ? "" : i + 1 < ranks.size() ? ", " : " and ", ranks[i]);
    return all;
}

} // namespace

void check_partner(const ncclComm *comm, const shared_call &mine, int partner,
                   const shared_call &other) {
    const bool pair = mine.kind == SEND || mine.kind == RECEIVE;
    if (!pair && !mine.in_group && !other.in_group && mine.thread == other.thread &&
        comm->mine().process == comm->shared->rank[partner].process)
        fail_communicator(comm, "one thread calls ", name_call(comm, mine), " for ranks ", partner,
                          " and ", comm->rank,
                          " without a group: the first call may wait for the second; "
                          "ncclGroupStart and ncclGroupEnd make them begin together");
    const bool equal =
        mine.count == other.count && mine.type == other.type &&
        (pair || (mine.kind == other.kind && mine.root == other.root && mine.op == other.op));
    if (equal)
        return;
    const std::string a = name_rank(comm->rank) + " calls " + describe(comm, mine),
                      b = name_rank(partner) + " calls " + describe(comm, other);
    const bool first = comm->rank < partner, same = pair || mine.kind == other.kind;
    fail_communicator(comm,
                      pair   ? "a send and the receive that it meets differ: "
                      : same ? "the ranks of a communicator call the same collective differently: "
                             : "the ranks of a communicator call collectives in different orders: ",
                      first ? a : b, ", ", first ? b : a,
                      same ? "" : text(" (for each it is collective number ", mine.match, ")"));
}

bool is_gone(const shared_rank &r) {
    if (r.state == ABSENT)
        return false;
    char text[512];
    FILE *file = fopen(print("/proc/%d/stat", (int)r.process).c_str(), "r");
    if (!file)
        return kill(r.process, 0) != 0 && errno == ESRCH;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    const char *name_end = strrchr(text, ')');
    return name_end && (name_end[2] == 'Z' || name_end[2] == 'X');
}

void check_missing(const ncclComm *comm, const shared_call &mine) {
    for (int partner : find_missing(comm, mine, comm->rank)) {
        const shared_rank &r = comm->shared->rank[partner];
        const bool left = r.state == LEFT, gone = !left && is_gone(r),
                   ends = !left && r.process == getpid() && does_program_end() &&
                          !find_partner(comm, mine, comm->rank, partner);
        if (left || gone || ends)
            fail_communicator(comm, name_rank(comm->rank), " waits in ", name_call(comm, mine),
                              " for ", name_rank(partner), ", which ",
                              left   ? "has left the communicator"
                              : gone ? "is gone: its process has ended"
                                     : "does not come any more: another thread has called exit()",
                              "; it ", describe_absent(comm, partner));
    }
}

void fail_unreadable(const ncclComm *comm, const shared_call &mine, int partner) {
    const std::string why = strerror(errno);
    fail_communicator(comm, name_rank(comm->rank), " in ", name_call(comm, mine), ": what ",
                      name_rank(partner), " sends cannot be read (",
                      is_gone(comm->shared->rank[partner]) ? "its process has ended" : why, ")");
}

void fail_deadlocked(const ncclComm *comm) {
    std::string all;
    for (int rank = 0; rank < comm->ranks; rank++) {
        const shared_rank &r = comm->shared->rank[rank];
        all += (rank ? "; " : "") + name_rank(rank);
        if (r.state == LEFT) {
            all += " has left it";
            continue;
        }
        const shared_call &c = r.call(r.waits_for);
        const std::vector<int> missing = find_missing(comm, c, rank);
        all += text(" waits in ", name_call(comm, c),
                    missing.empty() ? "" : " for " + name_ranks(missing),
                    r.group ? ", in " + describe_group(comm, r) : "");
    }
    fail_communicator(comm, "no rank of a communicator can go on: ", all);
}

void fail_patience(const ncclComm *comm, const shared_call &mine, unsigned seconds) {
    const std::vector<int> missing = find_missing(comm, mine, comm->rank);
    std::string all;
    bool here = false;
    for (int rank : missing) {
        all += text("; ", name_rank(rank), " ", describe_absent(comm, rank));
        here |= comm->shared->rank[rank].process == getpid();
    }
    fail_communicator(
        comm, name_rank(comm->rank), " waits in ", name_call(comm, mine), " for ",
        name_ranks(missing), ", and nothing has happened for ", seconds,
        " s (CUDACPU_NCCL_TIMEOUT)", all,
        here ? "; one thread that has several ranks calls between ncclGroupStart and ncclGroupEnd"
             : "");
}

} // namespace cudacpu
