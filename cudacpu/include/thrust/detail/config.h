/* config.h - what every header of Thrust includes first. Thrust is the distribution's (Debian:
 * libthrust-dev), whose algorithms run on the host here: so device memory stays open to host code,
 * and every operation is done when it is issued. */
#ifndef CUDACPU_THRUST_CONFIG_H
#define CUDACPU_THRUST_CONFIG_H
#include "cuda_runtime.h"
#ifdef CUDACPU_INSPECT
#error "inspect does not follow Thrust's algorithms: use cpucc without --inspect"
#endif
#undef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#undef __CUDACC__ /* Thrust would take nvcc's ways */
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDA_ARCH__ /* nor a device's, whose __clz() has 32 bits */
#include_next <thrust/detail/config.h>
#pragma pop_macro("__CUDA_ARCH__")
#define __CUDACC__ 1

namespace cudacpu {
/* From now on for the whole program. Returns true. */
bool share_device_memory();
static const bool shares_device_memory = share_device_memory();
} // namespace cudacpu
#endif
