/* shared_window.h - PTX's state space .shared, and .shared::cluster: the addresses of shared
 * memory, numbers of 32 bits. */
#ifndef CUDACPU_RUNTIME_SHARED_WINDOW_H
#define CUDACPU_RUNTIME_SHARED_WINDOW_H
#include "worker.h"

namespace cudacpu {

/* The block of this cluster, which has begun and not ended, that a shared address names, the
 * running one's for shared::cta. Ends the launch where there is none. */
worker *block_of(uint32_t address, const site *where);
/* The block of this cluster in whose shared memory p lies; NULL: none. */
worker *find_owner(const void *p);
/* Of the first byte of dynamic shared memory. */
uint32_t address_of_dynamic(const char *dynamic);
bool in_shared_memory(const worker *w, const void *p);
/* Where the block's dynamic shared memory begins, at a multiple of what the program's arrays ask
 * for, and as near the end of the memory as that allows: an access past it meets closed pages. */
char *place_dynamic(const worker *w, size_t bytes);

} // namespace cudacpu
#endif
