/* locate.h - which memory does an address lie in? */
#ifndef CUDACPU_INSPECT_LOCATE_H
#define CUDACPU_INSPECT_LOCATE_H
#include "access_log.h"

namespace cudacpu::inspect {

/* Leaves in s the memory that its access of size bytes lies in. One outside of all memory, or past
 * an end, is a fault, and happens all the same, so that the kernel goes on. */
void locate(observed_worker *w, instruction *s, uintptr_t address, unsigned size);
/* s, which has just been located, or the one of its ring that counts that memory. */
instruction *find_for_memory(observed_worker *w, instruction *s);

} // namespace cudacpu::inspect
#endif
