/* config.h - what every header of Thrust includes first, and some of CUB's. Thrust is the
 * distribution's (Debian: libthrust-dev), whose algorithms run on the host here. */
#ifndef CUDACPU_THRUST_CONFIG_H
#define CUDACPU_THRUST_CONFIG_H
#include "cuda_runtime.h"
#undef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#undef __CUDACC__ /* Thrust would take nvcc's ways */
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDA_ARCH__ /* nor a device's, whose __clz() has 32 bits */
#include_next <thrust/detail/config.h>
#pragma pop_macro("__CUDA_ARCH__")
#define __CUDACC__ 1
#endif
