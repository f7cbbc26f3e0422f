/* warp.h - what happens when a thread waits for the others of its warp. */
#ifndef CUDACPU_RUNTIME_WARP_H
#define CUDACPU_RUNTIME_WARP_H
#include "worker.h"

namespace cudacpu {

/* Does the thread wait in a call for which all lanes of the mask are there? */
bool is_complete_call(worker *w, unsigned thread);
/* If all lanes are there that this thread waits for, and those that they ask: gives each its
 * result, and adds them to w->awake. */
void finish_warp_call(worker *w, unsigned thread);
/* Where nobody else can go on: of the first count of w->waiting the call at the earliest place,
 * also if it asks lanes that are elsewhere. So lanes that diverged come to a later place together.
 */
void finish_earliest_call(worker *w, unsigned count);

} // namespace cudacpu
#endif
