/* coalescing.h - what one request costs: the sectors and lines of global memory that it touches,
 * the wavefronts that the banks of shared memory need. */
#ifndef CUDACPU_INSPECT_COALESCING_H
#define CUDACPU_INSPECT_COALESCING_H
#include "counts.h"

namespace cudacpu::inspect {

enum access_kind { LOAD_ACCESS, STORE_ACCESS, ATOMIC_ACCESS };

/* Each of the lanes (their numbers in lane, ascending) accesses size bytes at its address. */
traffic count_sectors(const uintptr_t *address, const unsigned char *lane, unsigned lanes,
                      unsigned size);
traffic count_wavefronts(const uintptr_t *address, const unsigned char *lane, unsigned lanes,
                         unsigned size, access_kind kind);

} // namespace cudacpu::inspect
#endif
