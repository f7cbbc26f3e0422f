/* culprit.h - who wrote beyond an allocation, once it is known that somebody did. */
#ifndef CUDACPU_RUNTIME_CULPRIT_H
#define CUDACPU_RUNTIME_CULPRIT_H
#include "closed_memory.h"
#include "worker.h"
#include <string>

namespace cudacpu {

/* Runs the grid again, one thread at a time, to see who does it, then that block with each access
 * to the page watched, to see where. The results are lost already: the process ends. */
[[noreturn]] void find_culprit(launch_state *l, const damage &found);
/* "wrote 12 bytes past a 4000-byte allocation": the first of them is 1 byte past */
std::string describe_damage(const damage &d);
/* While a culprit is looked for, after each step of a thread: true when it was this thread, and the
 * block is to run again. */
bool did_damage(const fiber *f);

} // namespace cudacpu
#endif
