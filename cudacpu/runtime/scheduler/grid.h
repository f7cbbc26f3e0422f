/* grid.h - shares the blocks of a grid out to the processors. */
#ifndef CUDACPU_RUNTIME_GRID_H
#define CUDACPU_RUNTIME_GRID_H
#include "worker.h"

namespace cudacpu {

/* Runs the blocks from l->next on; alone: on this OS thread, in order. */
void run_grid(launch_state *l, bool alone);

/* A block waits for what those may do that have not begun: one more OS thread draws blocks, in this
 * launch and those to come. False: there can be none. */
bool add_helper(launch_state *l);

/* Begins the blocks of a launch that begins early, on OS threads of its own (pool 0 or 1), the last
 * ones first, and returns how many there are. finish_early waits until they have run. */
unsigned start_early(launch_state *l, unsigned pool);
void finish_early(unsigned pool);

} // namespace cudacpu
#endif
