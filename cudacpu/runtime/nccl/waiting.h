/* waiting.h - a rank waits for others: meanwhile it does what they wait for, and finds out
 * when they cannot come. */
#ifndef CUDACPU_RUNTIME_NCCL_WAITING_H
#define CUDACPU_RUNTIME_NCCL_WAITING_H
#include "communicator.h"

namespace cudacpu {

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

} // namespace cudacpu
#endif
