/* grid.h - a pool of OS threads, which the blocks of a grid are shared out to; and programmatic
 * dependent launch: a kernel that may begin before the one before it in its stream, its primary,
 * has ended.
 *
 * That begins when the last of the primary's blocks triggers, where CUDACPU_ASYNC is late or draws
 * it: its blocks, that of the same number first and then the last ones, run on OS threads of their
 * own up to griddepcontrol.wait, as many as there are such threads; then the primary goes on. So
 * what that block does after the trigger has not happened for a kernel that does not wait. */
#ifndef CUDACPU_RUNTIME_GRID_H
#define CUDACPU_RUNTIME_GRID_H
#include "worker.h"

namespace cudacpu {

/* Runs the blocks from l->next on; alone: on this OS thread, in order. */
void run_grid(launch_state *l, bool alone);

/* A block waits for what those may do that have not begun: one more OS thread draws blocks, in this
 * launch and those to come. False: there can be none. */
bool add_helper(launch_state *l);

/* The primary has ended: the launches that have begun since go on to their ends. */
void finish_dependents(launch_state *primary);

/* ---- how far a launch is that takes long: a line on a terminal, which goes when it ends ---- */

/* The launch is watched as long as this exists. */
class progress_line {
    const bool is_watched;

  public:
    explicit progress_line(const launch_state *l);
    ~progress_line();
    progress_line(const progress_line &) = delete;
};

} // namespace cudacpu
#endif
