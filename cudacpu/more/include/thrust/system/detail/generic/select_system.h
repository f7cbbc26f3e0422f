/* select_system.h - what every header with an algorithm or a container of Thrust includes, and none
 * of CUB's: from now on device memory stays open to host code, and every operation is done when it
 * is issued. */
#ifndef CUDACPU_THRUST_SELECT_SYSTEM_H
#define CUDACPU_THRUST_SELECT_SYSTEM_H
#ifdef CUDACPU_INSPECT
#error "inspect does not follow Thrust's algorithms: use cpucc without --inspect"
#endif
#include_next <thrust/system/detail/generic/select_system.h>

namespace cudacpu {
/* From now on for the whole program. Returns true. */
bool share_device_memory();
static const bool shares_device_memory = share_device_memory();
} // namespace cudacpu
#endif
