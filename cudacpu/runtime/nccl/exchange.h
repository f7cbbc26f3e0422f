/* exchange.h - a call of nccl.h in its stream, as two operations: it arrives, with what it sends;
 * and it is completed when the calls of the other ranks have arrived. */
#ifndef CUDACPU_RUNTIME_EXCHANGE_H
#define CUDACPU_RUNTIME_EXCHANGE_H
#include "communicator.h"
#include "nccl.h"
#include "runtime/streams/stream_queue.h"
#include <vector>

namespace cudacpu {

/* to[i] from the elements i of all ranks: in their order, so that all get the same bits. */
typedef void (*reduce_function)(void *to, const std::vector<const void *> &from, size_t count,
                                ncclDataType_t type, ncclRedOp_t op);

struct nccl_call : call_words {
    ncclComm *comm;
    void *caller;
    const void *send;
    void *receive;
    reduce_function reduce = nullptr; /* of the collectives in more/nccl_calls.cpp */
    CUstream_st *stream = nullptr;
};

/* Bytes that the call's rank sends, and receives. */
size_t bytes_sent(const nccl_call &c);
size_t bytes_received(const nccl_call &c);
/* A call of the program: refused, or issued now or at its group's end. */
ncclResult_t check_and_issue(nccl_call c, cudaStream_t stream);
/* Calls of a group, or one call. */
void issue_calls(const std::vector<nccl_call> &calls);

/* The ranks that a call meets: all others, or its peer. */
std::vector<int> partners_of(const ncclComm *comm, const shared_call &c, int rank);
/* The call of that rank that this call of another rank meets; NULL: it is not made yet. */
shared_call *find_partner(const ncclComm *comm, const shared_call &c, int rank, int partner);
/* The partners whose calls have not arrived. */
std::vector<int> find_missing(const ncclComm *comm, const shared_call &c, int rank);
/* Is nothing of the rank's calls needed any more? What is not, is released. */
bool release_calls(ncclComm *comm);

/* ---- groups: what an OS thread has called since ncclGroupStart ---- */

/* Is a group open? Then the call, or the communicator whose ranks are to come, waits for its end.
 */
bool add_to_group(const nccl_call &call);
bool add_to_group(ncclComm *comm, void *caller);

/* The communicator is left: a group with a call of it that is still open is a fault. */
void check_group_ended(ncclComm *comm);

/* ---- element types, and sums, products, ... ---- */

size_t size_of(ncclDataType_t type); /* 0: there is none */
const char *name_of(ncclDataType_t type);
const char *name_of(ncclRedOp_t op); /* NULL: there is none */

} // namespace cudacpu
#endif
