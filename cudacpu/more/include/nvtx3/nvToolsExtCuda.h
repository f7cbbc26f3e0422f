/* nvToolsExtCuda.h - names of the driver API's objects for a profiler, of which there is none: they
 * do nothing. */
#ifndef CUDACPU_NVTX3_NVTOOLSEXTCUDA_H
#define CUDACPU_NVTX3_NVTOOLSEXTCUDA_H
#include "cuda.h"
#include "nvtx3/nvToolsExt.h"

static inline void nvtxNameCuDeviceA(CUdevice device, const char *name) {
    (void)device, (void)name;
}
static inline void nvtxNameCuContextA(CUcontext context, const char *name) {
    (void)context, (void)name;
}
static inline void nvtxNameCuStreamA(CUstream stream, const char *name) {
    (void)stream, (void)name;
}
static inline void nvtxNameCuEventA(CUevent event, const char *name) { (void)event, (void)name; }
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif
