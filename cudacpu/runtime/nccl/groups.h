/* groups.h - what an OS thread has called since ncclGroupStart. */
#ifndef CUDACPU_RUNTIME_NCCL_GROUPS_H
#define CUDACPU_RUNTIME_NCCL_GROUPS_H
#include "exchange.h"

namespace cudacpu {

/* Is a group open? Then the call, or the communicator whose ranks are to come, waits for its end.
 */
bool add_to_group(const nccl_call &call);
bool add_to_group(ncclComm *comm, void *caller);

/* The communicator is left: a group with a call of it that is still open is a fault. */
void check_group_ended(ncclComm *comm);

} // namespace cudacpu
#endif
