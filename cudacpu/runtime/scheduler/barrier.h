/* barrier.h - what happens when all threads of a block wait. */
#ifndef CUDACPU_RUNTIME_BARRIER_H
#define CUDACPU_RUNTIME_BARRIER_H
#include "worker.h"

namespace cudacpu {

/* All threads that have not ended (the first count of w->waiting) wait, none of them for its warp.
 * False, after fail_barrier: they wait at different barriers. */
bool open_barrier(worker *w, unsigned count);
bool same_place(const site *s, const site *t);
bool comes_first(const site *s, const site *t); /* in the source */
/* Ends the launch: the threads wait at different barriers, or for a warp that will not come. */
void fail_barrier(worker *w, unsigned count);

} // namespace cudacpu
#endif
