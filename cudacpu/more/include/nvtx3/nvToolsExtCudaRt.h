/* nvToolsExtCudaRt.h - names for a profiler, of which there is none: they do nothing. */
#ifndef CUDACPU_NVTX3_NVTOOLSEXTCUDART_H
#define CUDACPU_NVTX3_NVTOOLSEXTCUDART_H
#include "cuda_runtime_api.h"
#include "nvtx3/nvToolsExt.h"

CUDACPU_NVTX_NAME(nvtxNameCudaDeviceA, int)
CUDACPU_NVTX_NAME(nvtxNameCudaStreamA, cudaStream_t)
CUDACPU_NVTX_NAME(nvtxNameCudaEventA, cudaEvent_t)
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif
