/* cudaProfiler.h - the driver API's calls for a profiler, of which there is none: they do nothing.
 */
#ifndef CUDACPU_CUDAPROFILER_H
#define CUDACPU_CUDAPROFILER_H
#include "cuda.h"
static inline CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
static inline CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }
#endif
