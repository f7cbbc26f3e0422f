/* launch_races.h - programmatic dependent launches: what a kernel does before griddepcontrol.wait,
 * held against what the kernel before it did. */
#ifndef CUDACPU_INSPECT_LAUNCH_RACES_H
#define CUDACPU_INSPECT_LAUNCH_RACES_H
#include "races.h"

namespace cudacpu::inspect {

/* Does the running kernel overlap the one before it? */
extern bool overlaps_primary;
/* A thread accesses bytes of word i of the area, which the kernel before has touched. */
void check_launch_race(observed_worker *w, const instruction *s, unsigned thread, const area *a,
                       size_t i, uint8_t bytes, uintptr_t address);

} // namespace cudacpu::inspect
#endif
