/* async_copy.h - a thread's asynchronous copies to shared memory: __pipeline_memcpy_async, and
 * cp.async of PTX. */
#ifndef CUDACPU_ASYNC_COPY_H
#define CUDACPU_ASYNC_COPY_H
#include "cudacpu/site.h"
#include <cstddef>

namespace cudacpu {

/* Is each copy done when it starts, and does nobody observe? Then a kernel does it itself. False
 * until the first copy has found it out. */
extern bool copies_are_plain;

/* bytes: 4, 8 or 16, of which source_bytes come from global memory; the rest are zeros. */
void copy_async(void *to, const void *from, size_t bytes, size_t source_bytes, const site *where);
void commit_copies();
void wait_copies(size_t newest, const site *where); /* for all groups but the newest */

} // namespace cudacpu
#endif
