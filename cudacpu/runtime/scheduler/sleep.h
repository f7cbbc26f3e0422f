/* sleep.h - __nanosleep(): threads that poll memory until another thread, of any block, has written
 * it. */
#ifndef CUDACPU_RUNTIME_SLEEP_H
#define CUDACPU_RUNTIME_SLEEP_H
#include "cluster.h"

namespace cudacpu {

bool any_sleeps(const cluster *c);
/* All threads of the cluster that have not ended wait, some of them asleep: lets other blocks run.
 * False: none can do anything, and so it has been for ten seconds. */
bool let_blocks_run(cluster *c);

} // namespace cudacpu
#endif
