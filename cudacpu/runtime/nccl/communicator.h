/* communicator.h - a rank of a communicator, as its process sees it; how it waits for others, and
 * what goes wrong between them. */
#ifndef CUDACPU_RUNTIME_COMMUNICATOR_H
#define CUDACPU_RUNTIME_COMMUNICATOR_H
#include "runtime/host/text.h"
#include "runtime/streams/operation.h"
#include "segment.h"
#include <map>
#include <set>

namespace cudacpu {

/* A call that waits in its stream as two operations, or whose data others may still take. */
struct local_call {
    int issued; /* of the two operations */
    stream_clock arrives, completes;
};

} // namespace cudacpu

/* C's name of it. */
struct ncclComm {
    cudacpu::nccl_segment *shared;
    int rank, ranks, device;
    bool spans_processes = true; /* until all are known */
    bool aborted = false, finalized = false;
    /* how many it has called: collectives; to and from each other rank */
    uint64_t collectives = 0, sent[cudacpu::nccl_segment::MOST_RANKS] = {},
             received[cudacpu::nccl_segment::MOST_RANKS] = {};
    std::map<uint64_t, cudacpu::local_call> calls = {}; /* by number */

    cudacpu::shared_rank &mine() const { return shared->rank[rank]; }
    cudacpu::shared_call &call(uint64_t number) const { return mine().call(number); }
};

namespace cudacpu {

/* Of this process, in the order in which they were made. With the runtime's lock. */
const std::set<ncclComm *> &communicators();
/* Of the call with this name: is comm one, and *out no NULL? */
ncclResult_t check_communicator(const ncclComm *comm, const void *out, const char *name);
/* What ncclGetLastError tells; returns result. */
ncclResult_t keep_nccl_error(ncclResult_t result, const std::string &sentence);
template <class... Part> ncclResult_t set_nccl_error(ncclResult_t result, const Part &...parts) {
    return keep_nccl_error(result, text(parts...));
}
/* Waits until all ranks of the communicator, which is made at caller, are there. ncclInvalidUsage:
 * two of them have the same device; the communicator is gone. */
ncclResult_t wait_for_ranks(ncclComm *comm, void *caller);

/* ---- a rank waits for others ---- */

/* Meanwhile it does what they wait for, and finds out when they cannot come. */

/* For a moment; the partners of this call are to arrive, or to complete. With the runtime's lock,
 * which others may have meanwhile. */
void wait_for_partners(ncclComm *comm, uint64_t number, call_demand demand);
/* Until the rank's calls are complete, and nobody needs what they sent. */
void settle(ncclComm *comm);
/* Until nobody needs what those of the rank's calls sent that are complete. */
void wait_for_takers(ncclComm *comm);
/* An OS thread that does what ranks of other processes wait for. */
void start_server(nccl_segment *shared);
/* CUDACPU_NCCL_TIMEOUT, in seconds: so long nothing may happen while a rank waits. */
unsigned patience();

/* ---- what goes wrong: a sentence, and the end of the program ---- */

const char *name_of(call_kind kind);
std::string name_rank(int rank); /* "rank 2" */
/* "ncclAllReduce (file:line)" */
std::string name_call(const ncclComm *comm, const shared_call &c);

/* A rank has failed: this process ends. */
void end_if_failed(const ncclComm *comm);
[[noreturn]] void end_communicator(const ncclComm *comm, const std::string &sentence);
template <class... Part>
[[noreturn]] void fail_communicator(const ncclComm *comm, const Part &...parts) {
    end_communicator(comm, text(parts...));
}

/* Two calls that meet: both say the same. */
void check_partner(const ncclComm *comm, const shared_call &mine, int partner,
                   const shared_call &other);
/* A rank that this call waits for will not come any more. */
void check_missing(const ncclComm *comm, const shared_call &mine);
/* What the partner has sent cannot be read, since its process has ended, or memory is short. */
[[noreturn]] void fail_unreadable(const ncclComm *comm, const shared_call &mine, int partner);
/* All ranks wait for each other. */
[[noreturn]] void fail_deadlocked(const ncclComm *comm);
/* Rank by rank, who has not come in so many seconds. */
[[noreturn]] void fail_patience(const ncclComm *comm, const shared_call &mine, unsigned seconds);
/* The rank's process is no more. */
bool is_gone(const shared_rank &r);
/* " (file:line)" of a call; "" where it is not known. */
std::string name_place(const ncclComm *comm, uint64_t caller);

} // namespace cudacpu
#endif
