/* device.cpp - a device: its properties and attributes (of this machine what a program plans its
 * work by: name, memory, SMs; else those of an H100, whose compute capability it has), limits of
 * shared memory, its reset, versions. */
#include "calls.h"
#include "cuda_runtime_api.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/machine.h"
#include "runtime/host/process.h"
#include "runtime/memory/allocation.h"
#include "runtime/streams/stream_queue.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cudacpu {

namespace {

/* Bytes of shared memory that a block may have, and with cudaFuncSetAttribute. CUDACPU_SHARED
 * (default,optin) lowers them, and never raises them. */
struct shared_limits {
    unsigned long standard = 48 * 1024, optin = 227 * 1024;
    shared_limits() {
        const char *text = getenv("CUDACPU_SHARED");
        unsigned long low[2];
        char after;
        if (!text || !*text)
            return;
        if (text[strspn(text, "0123456789,")] ||
            sscanf(text, "%lu,%lu%c", &low[0], &low[1], &after) != 2)
            refuse_setting("CUDACPU_SHARED", text, "two numbers of bytes, such as 1000,2000");
        standard = std::min(standard, low[0]);
        optin = std::max(standard, std::min(optin, low[1]));
    }
};
/* Read once: each launch asks. */
const shared_limits &read_shared_limits() {
    static const shared_limits limits;
    return limits;
}

/* CUDACPU_MULTIPROCESSORS, for a grid like that on a GPU. Otherwise two for a processor, since a
 * cluster's blocks run on one, in turns: a program with a block for each SM, in clusters of two,
 * keeps all processors busy. */
int count_sms() {
    const int most = 1024; /* more than any GPU has */
    return (int)read_setting("CUDACPU_MULTIPROCESSORS", 2 * (uint64_t)processors(), 1, most);
}

template <size_t N> void set(int (&array)[N], const int (&values)[N]) {
    memcpy(array, values, sizeof array);
}
void set_textures(cudaDeviceProp *p) {
    p->textureAlignment = p->surfaceAlignment = 512;
    p->texturePitchAlignment = 32;
    p->maxTexture1D = 131072;
    p->maxTexture1DLinear = 1 << 28;
    p->maxTexture1DMipmap = p->maxTextureCubemap = p->maxSurface1D = p->maxSurfaceCubemap = 32768;
    set(p->maxTexture2D, {131072, 65536});
    set(p->maxTexture2DMipmap, {32768, 32768});
    set(p->maxTexture2DLinear, {131072, 65000, 2097120});
    set(p->maxTexture2DGather, {32768, 32768});
    set(p->maxTexture3D, {16384, 16384, 16384});
    set(p->maxTexture3DAlt, {8192, 8192, 32768});
    set(p->maxTexture1DLayered, {32768, 2048});
    set(p->maxTexture2DLayered, {32768, 32768, 2048});
    set(p->maxTextureCubemapLayered, {32768, 2046});
    set(p->maxSurface2D, {131072, 65536});
    set(p->maxSurface3D, {16384, 16384, 16384});
    set(p->maxSurface1DLayered, {32768, 2048});
    set(p->maxSurface2DLayered, {32768, 32768, 2048});
    set(p->maxSurfaceCubemapLayered, {32768, 2046});
}

} // namespace

size_t shared_default() { return read_shared_limits().standard; }
size_t shared_optin() { return read_shared_limits().optin; }

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

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
    p->globalL1CacheSupported = p->localL1CacheSupported = 1;
    p->pciBusID = device & 0xff;
    p->singleToDoublePrecisionPerfRatio = 2;
    p->l2CacheSize = 50 << 20; /* it and the bus: no program should divide by 0 */
    p->memoryBusWidth = 5120;
    p->memoryClockRate = 2619000;
    p->persistingL2CacheMaxSize = p->l2CacheSize / 8 * 5;
    p->accessPolicyMaxWindowSize = 128 << 20;
    p->reservedSharedMemPerBlock = 1024;
    set_textures(p);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    struct cudaDeviceProp p;
    if (!value)
        return remember_error(cudaErrorInvalidValue);
    if (cudaError_t error = cudaGetDeviceProperties(&p, device))
        return error;
    switch (attribute) {
#define CUDACPU_KNOWN(name, number, member)                                                        \
    case cudaDevAttr##name:                                                                        \
        *value = (int)p.member;                                                                    \
        return cudaSuccess;
#define CUDACPU_OTHER(name, number)
        CUDACPU_ATTRIBUTES(CUDACPU_KNOWN, CUDACPU_OTHER)
#undef CUDACPU_KNOWN
#undef CUDACPU_OTHER
    case cudaDevAttrCanFlushRemoteWrites:
        *value = 0;
        return cudaSuccess;
    default:
        return remember_error(cudaErrorInvalidValue);
    }
}

} /* extern "C" */
