/* mbarrier.h - barriers in shared memory: what asynchronous copies tell them. */
#ifndef CUDACPU_RUNTIME_MBARRIER_H
#define CUDACPU_RUNTIME_MBARRIER_H
#include "cudacpu/site.h"
#include <cstdint>

namespace cudacpu {

/* Bytes that this barrier, of any block of the cluster, waits for have arrived: complete_tx. Ends
 * the launch where there is no barrier. */
void complete_bytes(uint64_t *barrier, unsigned bytes);

} // namespace cudacpu
#endif
