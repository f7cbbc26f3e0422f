/* grid.h - shares the blocks of a grid out to the processors. */
#ifndef CUDACPU_RUNTIME_GRID_H
#define CUDACPU_RUNTIME_GRID_H
#include "worker.h"

namespace cudacpu {

/* Runs the blocks from l->next on; alone: on this OS thread, in order. */
void run_grid(launch_state *l, bool alone);

} // namespace cudacpu
#endif
