/* dependent_launch.h - programmatic dependent launch: a kernel that may begin before the one before
 * it in its stream, its primary, has ended.
 *
 * It begins when the last of the primary's blocks triggers, where CUDACPU_ASYNC is late or draws
 * it: its blocks, that of the same number first and then the last ones, run on OS threads of their
 * own up to griddepcontrol.wait, as many as there are such threads; then the primary goes on. So
 * what that block does after the trigger has not happened for a kernel that does not wait.
 */
#ifndef CUDACPU_RUNTIME_DEPENDENT_LAUNCH_H
#define CUDACPU_RUNTIME_DEPENDENT_LAUNCH_H
#include "worker.h"

namespace cudacpu {

/* The primary has ended: the launches that have begun since go on to their ends. */
void finish_dependents(launch_state *primary);

/* OS threads of a launch that began early: so many run its blocks; one of them has none any more.
 */
void expect_idle(early_launch *e, unsigned threads);
void note_idle(early_launch *e);

} // namespace cudacpu
#endif
