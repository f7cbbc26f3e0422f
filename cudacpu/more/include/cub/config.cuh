/* config.cuh - what every header of CUB includes first. CUB is the distribution's (Debian:
 * libcub-dev). Its code for the host and its code for a device are one here. */
#ifndef CUDACPU_CUB_CONFIG_CUH
#define CUDACPU_CUB_CONFIG_CUH
#include "cuda_runtime.h"
#define CUB_PTX_ARCH 900 /* what cudaFuncGetAttributes says, whatever -arch is */
#define CUB_IS_DEVICE_CODE (::cudacpu::is_in_kernel())
#define CUB_IS_HOST_CODE (!::cudacpu::is_in_kernel())
#define CUB_INCLUDE_DEVICE_CODE 1
#define CUB_INCLUDE_HOST_CODE 1
#define CUB_RUNTIME_ENABLED
#define CUB_RUNTIME_FUNCTION
#define __cudaDeviceSynchronizeDeprecationAvoidance cudaDeviceSynchronize
#include_next <cub/config.cuh>
#endif
