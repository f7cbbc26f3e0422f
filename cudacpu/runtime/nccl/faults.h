/* faults.h - what goes wrong between the ranks of a communicator: a sentence, and the end of
 * the program. The first rank that finds it speaks; the others end with it. */
#ifndef CUDACPU_RUNTIME_NCCL_FAULTS_H
#define CUDACPU_RUNTIME_NCCL_FAULTS_H
#include "communicator.h"
#include <vector>

namespace cudacpu {

const char *name_of(call_kind kind);
/* "ncclAllReduce (file:line)" */
std::string name_call(const nccl_segment *shared, const shared_call &c);

/* A rank has failed: this process ends. */
void end_if_failed(const ncclComm *comm);
[[noreturn]] void fail_communicator(nccl_segment *shared, int rank, const std::string &sentence);

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
/* A call that the program has never ended a group after. */
std::string name_place(const nccl_segment *shared, uint64_t caller);

} // namespace cudacpu
#endif
