/* communicator.h - a rank of a communicator, as its process sees it. */
#ifndef CUDACPU_RUNTIME_NCCL_COMMUNICATOR_H
#define CUDACPU_RUNTIME_NCCL_COMMUNICATOR_H
#include "runtime/streams/order.h"
#include "segment.h"
#include <map>
#include <set>

namespace cudacpu {

/* A call that waits in its stream as two operations, or whose data others may still take. */
struct local_call {
    int issued; /* of the two operations */
    order arrives, completes;
};

} // namespace cudacpu

/* C's name of it. */
struct ncclComm {
    cudacpu::nccl_segment *shared;
    int rank, ranks, device;
    bool spans_processes, aborted, finalized;
    /* how many it has called: collectives; to and from each other rank */
    uint64_t collectives, sent[cudacpu::nccl_segment::MOST_RANKS],
        received[cudacpu::nccl_segment::MOST_RANKS];
    std::map<uint64_t, cudacpu::local_call> calls; /* by number */

    cudacpu::shared_rank &mine() const { return shared->rank[rank]; }
    cudacpu::shared_call &call(uint64_t number) const {
        return mine().calls[(number - 1) % cudacpu::shared_rank::RING];
    }
};

namespace cudacpu {

/* Of this process, in the order in which they were made. With the runtime's lock. */
const std::set<ncclComm *> &communicators();
/* What ncclGetLastError tells; returns result. */
ncclResult_t set_nccl_error(ncclResult_t result, const std::string &text);
/* Waits until all ranks of the communicator, which is made at caller, are there. ncclInvalidUsage:
 * two of them have the same device; the communicator is gone. */
ncclResult_t wait_for_ranks(ncclComm *comm, void *caller);

} // namespace cudacpu
#endif
