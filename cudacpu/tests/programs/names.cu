/* names.cu - headers that nvcc brings along or programs include by habit, and names of the runtime
 * API and of device code that courses and samples use.
 *
 * Covers: headers by habit (`builtin_types.h`, `math_constants.h`, `cuda_profiler_api.h`,
 * `crt/device_functions.h`, `texture_types.h`), `nvstd::function`, guards
 * that helper_cuda.h asks for, occupancy, prefetch and advice, limits, bus numbers, callbacks,
 * old shuffles and votes, 24-bit products, conversions, `clock()` on host and device,
 * `__CUDA_ARCH__`, variables named `blockDim`.
 *
 * Header: cuda/cmath; covers: `ceil_div`, `round_up`, `round_down`.
 *
 * Header: nvtx3/nvToolsExt.h, nvtx3/nvtx3.hpp; covers: marks and ranges, which do nothing. */
#include <builtin_types.h>
#include <common_functions.h>
#include <crt/device_functions.h>
#include <cuda/atomic>
#include <cuda/cmath>
#include <cudaProfiler.h>
#include <cuda_occupancy.h>
#include <cuda_profiler_api.h>
#include <curand_uniform.h>
#include <device_double_functions.h>
#include <device_launch_parameters.h>
#include <driver_functions.h>
#include <math_constants.h>
#include <nvfunctional>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvtx3.hpp>
#include <sm_35_atomic_functions.h>
#include <texture_types.h>
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(__NVCC__)
#error "helper_cuda.h of the samples asks for these"
#endif

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: not so: %s\n", __LINE__, #condition);                                 \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

__global__ void sum_warps(float *sums) {
    extern __shared__ float values[];
    const unsigned i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
    float value = (float)i;
    for (int delta = 16; delta; delta /= 2)
        value += __shfl_down(value, delta);
    values[threadIdx.x] = value;
    sums[i] = values[threadIdx.x];
}

__global__ void compute(double *results) {
#if __CUDA_ARCH__ >= 300
    results[0] = 1;
#endif
    results[1] = __mul24(0x1800000, 2);   /* the low 24 bits of both, with a sign */
    results[2] = __umul24(0x1000003, 2);  /* likewise, without one */
    results[3] = __float2int_rn(2.5f);    /* to even */
    results[4] = __float2uint_rz(-3.0f);  /* saturates */
    results[5] = __double2int_rz(1e300);  /* likewise */
    results[6] = sinpi(1.0) + cospi(0.5); /* exactly 0 */
    results[7] = __funnelshift_l(1u << 31, 1, 1);
    results[8] = (double)__umul64hi(1ull << 63, 6) + __fns(0xb0, 0, 3) - __fns(0xb0, 7, -1);
    results[9] = max(1.0f, 2.5) + min(3u, 7) + max(2L, 1) + std::min(1, 2) + umin(1, 2) -
                 ullmin(2, 1) + umax(1, 2) - llmax(1, 2);
    results[10] = __log2f(8.0f) + __exp10f(2.0f);
    results[11] = __ballot(1) == __activemask() && __all(1) && !__any(0);
    results[12] = __hiloint2double(__double2hiint(0.1), __double2loint(0.1));
    const clock_t begin = clock();
    const nvstd::function<bool(clock_t)> is_later = [=](clock_t now) { return now >= begin; };
    results[13] = is_later(clock());
}

static void CUDART_CB set(cudaStream_t, cudaError_t, void *value) { *(int *)value = 7; }

int main() {
    float *sums;
    double *results;
    EXPECT(cudaMallocManaged(&sums, 64 * sizeof *sums) == cudaSuccess);
    EXPECT(cudaMallocManaged(&results, 14 * sizeof *results) == cudaSuccess);
    NVTX3_FUNC_RANGE();
    const nvtx3::scoped_range whole("main", nvtx3::rgb{1, 2, 3});
    nvtx3::mark("begin");
    EXPECT(cuda::ceil_div(7, 2u) == 4 && cuda::round_up(7, 4) == 8 && cuda::round_down(7, 4) == 4);
    EXPECT(cuProfilerStart() == CUDA_SUCCESS && cuProfilerStop() == CUDA_SUCCESS);
    dim3 gridDim(2), blockDim(32); /* names that a program may use for itself */
    int value = 0, blocks, block, grid, device;
    size_t limit;
    char bus[32];
    cudaEvent_t event;
    cudaDeviceProp properties;
    EXPECT(cudaEventCreate(&event, cudaEventBlockingSync | cudaEventDisableTiming) == cudaSuccess);
    EXPECT(cudaOccupancyMaxPotentialBlockSize(&grid, &block, sum_warps, 0, 256) == cudaSuccess);
    EXPECT(block == 256 && grid > 0);
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum_warps, 2048, 0) ==
           cudaSuccess);
    EXPECT(blocks == 0);
    EXPECT(cudaMemPrefetchAsync(sums, 256, 0, 0) == cudaSuccess);
    EXPECT(cudaMemAdvise(sums, 256, cudaMemAdviseSetReadMostly, 0) == cudaSuccess);
    EXPECT(cudaMemAdvise(&value, 4, cudaMemAdviseSetReadMostly, 0) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20) == cudaSuccess);
    EXPECT(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize) == cudaSuccess && limit == 1 << 20);
    EXPECT(cudaDeviceGetPCIBusId(bus, sizeof bus, 0) == cudaSuccess);
    EXPECT(cudaDeviceGetByPCIBusId(&device, bus) == cudaSuccess && device == 0);
    EXPECT(cudaGetDeviceProperties(&properties, 0) == cudaSuccess &&
           properties.clockRate == 1000000);
    EXPECT(cudaProfilerStart() == cudaSuccess);
    nvtxMarkA("sums");
    nvtxNameCuStreamA(0, "default");
    EXPECT(nvtxRangePushA("sums") < 0 && nvtxRangePop() < 0); /* there is no profiler */
    sum_warps<<<gridDim, blockDim, 32 * sizeof(float)>>>(sums);
    EXPECT(cudaStreamAddCallback(0, set, &value, 0) == cudaSuccess);
    EXPECT(cudaThreadSynchronize() == cudaSuccess);
    EXPECT(cudaThreadSetLimit(cudaLimitMallocHeapSize, 1 << 21) == cudaSuccess);
    EXPECT(cudaThreadGetLimit(&limit, cudaLimitMallocHeapSize) == cudaSuccess && limit == 1 << 21);
    EXPECT(value == 7 && sums[0] == 496 && sums[32] == 1520);
    compute<<<1, 1>>>(results);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    const double expected[] = {1, -16777216, 6, 2, 0, 2147483647, 0, 3, 3, 8.5, 103, 1, 0.1, 1};
    for (int i = 0; i < 14; i++)
        if (results[i] != expected[i]) {
            printf("result %d: %g, not %g\n", i, results[i], expected[i]);
            return 1;
        }
    EXPECT(strcmp(cudaGetErrorName((cudaError_t)35), "cudaErrorInsufficientDriver") == 0);
    EXPECT(CUDART_PI_F == 3.14159274f && CUDART_INF > 1e308 && CUDART_NAN != CUDART_NAN);
    const clock_t now = clock();
    assert(now >= 0 && std::numeric_limits<int>::max() == INT_MAX);
    cudaEventDestroy(event);
    cudaFree(sums);
    cudaFree(results);
    puts("ok");
    return 0;
}
