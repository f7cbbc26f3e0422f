/* nvToolsExtCuda.h - names of the driver API's objects for a profiler, of which there is none: they
 * do nothing. */
#ifndef CUDACPU_NVTX3_NVTOOLSEXTCUDA_H
#define CUDACPU_NVTX3_NVTOOLSEXTCUDA_H
#include "cuda.h"
#include "nvtx3/nvToolsExt.h"

CUDACPU_NVTX_NAME(nvtxNameCuDeviceA, CUdevice)
CUDACPU_NVTX_NAME(nvtxNameCuContextA, CUcontext)
CUDACPU_NVTX_NAME(nvtxNameCuStreamA, CUstream)
CUDACPU_NVTX_NAME(nvtxNameCuEventA, CUevent)
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif
