/* clang_prelude.h - what clang's own CUDA (-x cuda, host pass) has to know of cudacpu: its headers,
 * whose functions are for host and device there, then CUDA's keywords as clang has them. */
#define __host__ __attribute__((host)) /* for clang's own headers */
#define __device__ __attribute__((device))
#pragma clang force_cuda_host_device begin
#include <malloc.h>
#pragma clang force_cuda_host_device end
#include <exception>
#include <new>
#pragma clang force_cuda_host_device begin
#include <algorithm>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

#include "cuda_runtime.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cublas_v2.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <mma.h>
#include <nvfunctional>
#pragma clang force_cuda_host_device end

/* What <<<>>> calls; and what cpucc makes of a name. */
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = nullptr);
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, void (*)(P...), A &&...);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **);
template <class K>
cudaError_t cudaLaunchKernel(K *, dim3, dim3, void **, size_t = 0, cudaStream_t = nullptr);
template <class K>
cudaError_t cudaLaunchCooperativeKernel(K *, dim3, dim3, void **, size_t = 0,
                                        cudaStream_t = nullptr);

#undef __host__
#undef __device__
#undef __constant__
#undef __managed__
#undef __launch_bounds__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#define __noinline__ __attribute__((noinline))
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDA_ARCH__ 900
