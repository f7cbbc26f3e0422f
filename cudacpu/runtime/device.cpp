/* device.cpp - a device's properties and attributes, its limits, its reset. */
#include "device.h"
#include "allocation.h"
#include "cuda_runtime_api.h"
#include "devices.h"
#include "environment.h"
#include "errors.h"
#include "functions.h"
#include "lock.h"
#include "machine.h"
#include "stream_queue.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cudacpu {
namespace {

/* CUDACPU_SHARED=default,optin (bytes) lowers the limits of shared memory, never raises them. */
size_t shared_limit(int which) {
    unsigned long given[2] = {48 * 1024, 227 * 1024};
    const char *text = getenv("CUDACPU_SHARED");
    unsigned long low[2];
    if (text && sscanf(text, "%lu,%lu", &low[0], &low[1]) == 2) {
        given[0] = low[0] < given[0] ? low[0] : given[0];
        given[1] = low[1] < given[1] ? low[1] : given[1];
        if (given[1] < given[0])
            given[1] = given[0];
    }
    return given[which];
}

/* CUDACPU_MULTIPROCESSORS, for a grid like that on a GPU. Otherwise two for a processor, since a
 * cluster's blocks run on one, in turns: a program with a block for each SM, in clusters of two,
 * keeps all processors busy. */
int count_sms() {
    const int most = 1024; /* more than any GPU has */
    return (int)read_setting("CUDACPU_MULTIPROCESSORS", 2 * (uint64_t)processors(), 1, most);
}

} // namespace

size_t shared_default() { return shared_limit(0); }
size_t shared_optin() { return shared_limit(1); }

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
    if (!p)
        return remember_error(cudaErrorInvalidValue);
    if (!is_device(device))
        return remember_error(cudaErrorInvalidDevice);
    memset(p, 0, sizeof *p);
    char model[128] = "CPU";
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %127[^\n]", model) == 1)
            break;
    if (file)
        fclose(file);
    snprintf(p->name, sizeof p->name, "%s (cudacpu, %d thread%s)", model, processors(),
             processors() == 1 ? "" : "s");
    p->totalGlobalMem = total_memory();
    p->sharedMemPerBlock = shared_default();
    p->sharedMemPerBlockOptin = shared_optin();
    p->sharedMemPerMultiprocessor = 228 * 1024;
    p->regsPerBlock = 65536;
    p->warpSize = 32;
    p->memPitch = 2147483647;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = 9;
    p->multiProcessorCount = count_sms();
    p->clockRate = 1000000; /* clock64() counts nanoseconds */
    p->integrated = p->canMapHostMemory = p->unifiedAddressing = p->managedMemory =
        p->cooperativeLaunch = 1;
    p->maxThreadsPerMultiProcessor = 1024;
    p->maxBlocksPerMultiProcessor = 1;
    p->regsPerMultiprocessor = 65536;
    p->concurrentKernels = p->asyncEngineCount = p->deviceOverlap = 1;
    p->concurrentManagedAccess = p->pageableMemoryAccess = p->hostRegisterSupported = 1;
    p->hostNativeAtomicSupported = p->canUseHostPointerForRegisteredMem = 1;
    p->streamPrioritiesSupported = p->clusterLaunch = p->memoryPoolsSupported = 1;
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->pciBusID = device & 0xff;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    struct cudaDeviceProp p;
    if (!value)
        return remember_error(cudaErrorInvalidValue);
    if (cudaError_t error = cudaGetDeviceProperties(&p, device))
        return error;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = p.maxThreadsPerBlock;
        break;
    case cudaDevAttrMaxBlockDimX:
        *value = p.maxThreadsDim[0];
        break;
    case cudaDevAttrMaxBlockDimY:
        *value = p.maxThreadsDim[1];
        break;
    case cudaDevAttrMaxBlockDimZ:
        *value = p.maxThreadsDim[2];
        break;
    case cudaDevAttrMaxGridDimX:
        *value = p.maxGridSize[0];
        break;
    case cudaDevAttrMaxGridDimY:
        *value = p.maxGridSize[1];
        break;
    case cudaDevAttrMaxGridDimZ:
        *value = p.maxGridSize[2];
        break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = (int)p.sharedMemPerBlock;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = (int)p.sharedMemPerBlockOptin;
        break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = (int)p.sharedMemPerMultiprocessor;
        break;
    case cudaDevAttrTotalConstantMemory:
        *value = (int)p.totalConstMem;
        break;
    case cudaDevAttrWarpSize:
        *value = p.warpSize;
        break;
    case cudaDevAttrMaxPitch:
        *value = (int)p.memPitch;
        break;
    case cudaDevAttrMaxRegistersPerBlock:
        *value = p.regsPerBlock;
        break;
    case cudaDevAttrMultiProcessorCount:
        *value = p.multiProcessorCount;
        break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = p.maxThreadsPerMultiProcessor;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *value = p.major;
        break;
    case cudaDevAttrComputeCapabilityMinor:
        *value = p.minor;
        break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrClusterLaunch:
    case cudaDevAttrIntegrated:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrPageableMemoryAccess:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrHostNativeAtomicSupported:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrAsyncEngineCount:
    case cudaDevAttrGpuOverlap:
        *value = 1;
        break;
    case cudaDevAttrClockRate:
        *value = p.clockRate;
        break;
    case cudaDevAttrPciBusId:
        *value = p.pciBusID;
        break;
    case cudaDevAttrTextureAlignment:
        *value = (int)p.textureAlignment;
        break;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        *value = p.regsPerMultiprocessor;
        break;
    case cudaDevAttrComputeMode:
    case cudaDevAttrKernelExecTimeout:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrPciDeviceId:
    case cudaDevAttrPciDomainId:
    case cudaDevAttrTccDriver:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrMemoryClockRate:
    case cudaDevAttrGlobalMemoryBusWidth:
    case cudaDevAttrL2CacheSize:
        *value = 0;
        break;
    default:
        return remember_error(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) {
    wait_for_device(current_device());
    return remember_error(sticky_error());
}
cudaError_t cudaDeviceReset(void) {
    runtime_guard guard;
    const int device = current_device();
    wait_for_device(device);
    free_all(device);
    forget_streams(device);
    forget_function_limits(device);
    forget_access(device);
    clear_errors();
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    if (!free_bytes || !total_bytes)
        return remember_error(cudaErrorInvalidValue);
    *free_bytes = free_memory();
    *total_bytes = total_memory();
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) {
    if (!version)
        return remember_error(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *version) { return cudaRuntimeGetVersion(version); }

} /* extern "C" */
