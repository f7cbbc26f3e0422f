/* warp.h - what happens when a thread waits for the others of its warp. */
#ifndef CUDACPU_RUNTIME_WARP_H
#define CUDACPU_RUNTIME_WARP_H
#include "worker.h"

namespace cudacpu {

/* If all lanes are there that this thread waits for: gives each its result, and adds them to
 * w->awake. */
void finish_warp_call(worker *w, unsigned thread);

} // namespace cudacpu
#endif
