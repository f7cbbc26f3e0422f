/* driver_api.h - what programs take of the driver API (cu...) beside the runtime's: devices,
 * contexts, memory, streams, events. A context is its device's primary one. Modules, and all else
 * that loads code for a GPU, are refused by cpucc. */
#ifndef CUDACPU_DRIVER_API_H
#define CUDACPU_DRIVER_API_H
#include "cuda_runtime_api.h"
#include <stdint.h>

/* The numbers are the runtime's. */
/* clang-format off */
#define CUDACPU_DRIVER_ERRORS(X) \
    X(SUCCESS, 0) X(ERROR_INVALID_VALUE, 1) X(ERROR_OUT_OF_MEMORY, 2) \
    X(ERROR_NOT_INITIALIZED, 3) X(ERROR_DEINITIALIZED, 4) X(ERROR_NO_DEVICE, 100) \
    X(ERROR_INVALID_DEVICE, 101) X(ERROR_INVALID_IMAGE, 200) X(ERROR_INVALID_CONTEXT, 201) \
    X(ERROR_NO_BINARY_FOR_GPU, 209) X(ERROR_PEER_ACCESS_UNSUPPORTED, 217) \
    X(ERROR_INVALID_PTX, 218) X(ERROR_INVALID_SOURCE, 300) X(ERROR_FILE_NOT_FOUND, 301) \
    X(ERROR_INVALID_HANDLE, 400) X(ERROR_NOT_FOUND, 500) X(ERROR_NOT_READY, 600) \
    X(ERROR_ILLEGAL_ADDRESS, 700) X(ERROR_LAUNCH_OUT_OF_RESOURCES, 701) \
    X(ERROR_LAUNCH_TIMEOUT, 702) X(ERROR_LAUNCH_FAILED, 719) X(ERROR_NOT_PERMITTED, 800) \
    X(ERROR_NOT_SUPPORTED, 801) X(ERROR_UNKNOWN, 999)
/* clang-format on */
#define CUDACPU_NUMBER(name, number) CUDA_##name = number,
typedef enum cudaError_enum { CUDACPU_DRIVER_ERRORS(CUDACPU_NUMBER) } CUresult;
#undef CUDACPU_NUMBER
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

/* Attributes have the runtime's numbers, too. */
/* clang-format off */
#define CUDACPU_DRIVER_ATTRIBUTES(X) \
    X(MAX_THREADS_PER_BLOCK, 1) X(MAX_BLOCK_DIM_X, 2) X(MAX_BLOCK_DIM_Y, 3) X(MAX_BLOCK_DIM_Z, 4) \
    X(MAX_GRID_DIM_X, 5) X(MAX_GRID_DIM_Y, 6) X(MAX_GRID_DIM_Z, 7) \
    X(MAX_SHARED_MEMORY_PER_BLOCK, 8) X(TOTAL_CONSTANT_MEMORY, 9) X(WARP_SIZE, 10) \
    X(MAX_PITCH, 11) X(MAX_REGISTERS_PER_BLOCK, 12) X(CLOCK_RATE, 13) X(TEXTURE_ALIGNMENT, 14) \
    X(GPU_OVERLAP, 15) X(MULTIPROCESSOR_COUNT, 16) X(KERNEL_EXEC_TIMEOUT, 17) X(INTEGRATED, 18) \
    X(CAN_MAP_HOST_MEMORY, 19) X(COMPUTE_MODE, 20) X(CONCURRENT_KERNELS, 31) X(ECC_ENABLED, 32) \
    X(PCI_BUS_ID, 33) X(PCI_DEVICE_ID, 34) X(TCC_DRIVER, 35) X(MEMORY_CLOCK_RATE, 36) \
    X(GLOBAL_MEMORY_BUS_WIDTH, 37) X(L2_CACHE_SIZE, 38) X(MAX_THREADS_PER_MULTIPROCESSOR, 39) \
    X(ASYNC_ENGINE_COUNT, 40) X(UNIFIED_ADDRESSING, 41) X(COMPUTE_CAPABILITY_MAJOR, 75) \
    X(COMPUTE_CAPABILITY_MINOR, 76) X(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 81) \
    X(MAX_REGISTERS_PER_MULTIPROCESSOR, 82) X(MANAGED_MEMORY, 83) X(CONCURRENT_MANAGED_ACCESS, 89) \
    X(COOPERATIVE_LAUNCH, 95) X(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)
/* clang-format on */
#define CUDACPU_NUMBER(name, number) CU_DEVICE_ATTRIBUTE_##name = number,
typedef enum CUdevice_attribute { CUDACPU_DRIVER_ATTRIBUTES(CUDACPU_NUMBER) } CUdevice_attribute;
#undef CUDACPU_NUMBER
#undef CUDACPU_DRIVER_ATTRIBUTES
enum {
    CU_CTX_SCHED_AUTO = 0,
    CU_CTX_SCHED_SPIN = 1,
    CU_CTX_SCHED_YIELD = 2,
    CU_CTX_SCHED_BLOCKING_SYNC = 4,
    CU_CTX_MAP_HOST = 8,
    CU_MEM_ATTACH_GLOBAL = 1,
    CU_STREAM_DEFAULT = 0,
    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_DEFAULT = 0,
    CU_EVENT_BLOCKING_SYNC = 1,
    CU_EVENT_DISABLE_TIMING = 2
};

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuInit(unsigned flags);
CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuGetErrorString(CUresult error, const char **text);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetName(char *name, int length, CUdevice device);
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext *context);
CUresult cuCtxGetDevice(CUdevice *device);
/* May the calling thread use memory, streams and events? What a call gives back, else. */
CUresult cudacpu_has_context(void);
CUresult cudacpu_driver_error(cudaError_t error); /* the runtime does not remember it */
CUresult cudacpu_create_context(CUcontext *context, CUdevice device);

#ifdef __cplusplus
}
#endif

/* Each in terms of the runtime's, in the file that calls it: so that its line is the program's. */
#define CUDACPU_DRIVER(name, parameters, call)                                                     \
    __attribute__((unused)) static CUresult name parameters {                                      \
        const CUresult possible = cudacpu_has_context();                                           \
        return possible != CUDA_SUCCESS ? possible : cudacpu_driver_error(call);                   \
    }
#define CUDACPU_AT(address) ((void *)(uintptr_t)(address))
CUDACPU_DRIVER(cuMemAlloc, (CUdeviceptr * p, size_t bytes),
               bytes ? cudaMalloc((void **)p, bytes) : cudaErrorInvalidValue)
CUDACPU_DRIVER(cuMemAllocManaged, (CUdeviceptr * p, size_t bytes, unsigned flags),
               cudaMallocManaged((void **)p, bytes, flags))
CUDACPU_DRIVER(cuMemAllocPitch,
               (CUdeviceptr * p, size_t *pitch, size_t width, size_t height, unsigned element),
               ((void)element, cudaMallocPitch((void **)p, pitch, width, height)))
CUDACPU_DRIVER(cuMemAllocHost, (void **p, size_t bytes), cudaMallocHost(p, bytes))
CUDACPU_DRIVER(cuMemHostAlloc, (void **p, size_t bytes, unsigned flags),
               cudaHostAlloc(p, bytes, flags))
CUDACPU_DRIVER(cuMemFree, (CUdeviceptr p), cudaFree(CUDACPU_AT(p)))
CUDACPU_DRIVER(cuMemFreeHost, (void *p), cudaFreeHost(p))
CUDACPU_DRIVER(cuMemGetInfo, (size_t * unused, size_t *all), cudaMemGetInfo(unused, all))
CUDACPU_DRIVER(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
               cudaMemcpy(CUDACPU_AT(to), CUDACPU_AT(from), bytes, cudaMemcpyDefault))
CUDACPU_DRIVER(cuMemcpyHtoD, (CUdeviceptr to, const void *from, size_t bytes),
               cudaMemcpy(CUDACPU_AT(to), from, bytes, cudaMemcpyHostToDevice))
CUDACPU_DRIVER(cuMemcpyDtoH, (void *to, CUdeviceptr from, size_t bytes),
               cudaMemcpy(to, CUDACPU_AT(from), bytes, cudaMemcpyDeviceToHost))
CUDACPU_DRIVER(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
               cudaMemcpy(CUDACPU_AT(to), CUDACPU_AT(from), bytes, cudaMemcpyDeviceToDevice))
CUDACPU_DRIVER(cuMemcpyHtoDAsync, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream),
               cudaMemcpyAsync(CUDACPU_AT(to), from, bytes, cudaMemcpyHostToDevice, stream))
CUDACPU_DRIVER(cuMemcpyDtoHAsync, (void *to, CUdeviceptr from, size_t bytes, CUstream stream),
               cudaMemcpyAsync(to, CUDACPU_AT(from), bytes, cudaMemcpyDeviceToHost, stream))
CUDACPU_DRIVER(cuMemcpyDtoDAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
               cudaMemcpyAsync(CUDACPU_AT(to), CUDACPU_AT(from), bytes, cudaMemcpyDeviceToDevice,
                               stream))
CUDACPU_DRIVER(cuMemsetD8, (CUdeviceptr to, unsigned char value, size_t count),
               cudaMemset(CUDACPU_AT(to), value, count))
CUDACPU_DRIVER(cuMemsetD8Async,
               (CUdeviceptr to, unsigned char value, size_t count, CUstream stream),
               cudaMemsetAsync(CUDACPU_AT(to), value, count, stream))
CUDACPU_DRIVER(cuCtxSynchronize, (void), cudaDeviceSynchronize())
CUDACPU_DRIVER(cuStreamCreate, (CUstream * stream, unsigned flags),
               cudaStreamCreateWithFlags(stream, flags))
CUDACPU_DRIVER(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
CUDACPU_DRIVER(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
CUDACPU_DRIVER(cuStreamQuery, (CUstream stream), cudaStreamQuery(stream))
CUDACPU_DRIVER(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags),
               cudaStreamWaitEvent(stream, event, flags))
CUDACPU_DRIVER(cuEventCreate, (CUevent * event, unsigned flags),
               cudaEventCreateWithFlags(event, flags))
CUDACPU_DRIVER(cuEventDestroy, (CUevent event), cudaEventDestroy(event))
CUDACPU_DRIVER(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
CUDACPU_DRIVER(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
CUDACPU_DRIVER(cuEventQuery, (CUevent event), cudaEventQuery(event))
CUDACPU_DRIVER(cuEventElapsedTime, (float *milliseconds, CUevent from, CUevent to),
               cudaEventElapsedTime(milliseconds, from, to))
#undef CUDACPU_DRIVER
#undef CUDACPU_AT

__attribute__((unused)) static CUresult cuDriverGetVersion(int *version) {
    return cudacpu_driver_error(cudaDriverGetVersion(version));
}
#ifdef __cplusplus /* with CUDA 12's arguments and with CUDA 13's */
static inline CUresult cuCtxCreate(CUcontext *context, unsigned, CUdevice device) {
    return cudacpu_create_context(context, device);
}
struct CUctxCreateParams;
static inline CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *, unsigned,
                                   CUdevice device) {
    return cudacpu_create_context(context, device);
}
#else
#define cuCtxCreate(context, flags, device) cudacpu_create_context(context, device)
#endif
#endif
