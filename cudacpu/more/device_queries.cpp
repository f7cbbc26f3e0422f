/* device_queries.cpp - what else may be asked of devices, kernels, pinned and managed memory:
 * places on the bus, flags, limits, preferences for caches, which are kept and change nothing here;
 * how many blocks an SM holds. */
#include "cuda_runtime_api.h"
#include "cudacpu/typed_queries.h"
#include "runtime/api/calls.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/process.h"
#include "runtime/host/symbols.h"
#include "runtime/memory/allocation.h"
#include "runtime/scheduler/worker.h"
#include "runtime/streams/stream_queue.h"
#include <cstdio>
#include <cstring>

using namespace cudacpu;

/* ---- its place on the bus, flags, limits, preferences for caches ---- */

namespace {
size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
const size_t LIMITS = sizeof limits / sizeof *limits;
unsigned device_flags;
cudaFuncCache cache_config;
cudaSharedMemConfig shared_config;

/* Stores what a call asks for. */
template <class T> cudaError_t tell(T *place, T value) {
    if (!place)
        return remember_error(cudaErrorInvalidValue);
    *place = value;
    return cudaSuccess;
}
} // namespace

cudaError_t cudacpu::check_managed(const void *pointer, size_t bytes, int device,
                                   cudaStream_t stream) {
    runtime_guard guard;
    const allocation *a = find_live_allocation(pointer);
    if (!a || a->kind != MANAGED_MEMORY || (const char *)pointer + bytes > a->data + a->bytes)
        return remember_error(cudaErrorInvalidValue);
    if (device != cudaCpuDeviceId && !is_device(device))
        return remember_error(cudaErrorInvalidDevice);
    return remember_error(find_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudacpu::largest_block(int *grid, int *block, const void *function,
                                   size_t (*bytes)(int, void *), void *argument, int limit) {
    int sms = 0;
    if (!grid || !block || limit < 0)
        return remember_error(cudaErrorInvalidValue);
    if (!function)
        return remember_error(cudaErrorInvalidDeviceFunction);
    if (cudaError_t error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0))
        return error;
    const int most = (int)thread_limit(function);
    int size = limit && limit < most ? limit : most;
    while (size > 0 && bytes(size, argument) > dynamic_limit(function))
        size = (size - 1) / 32 * 32;
    *block = size;
    *grid = size ? sms : 0;
    return cudaSuccess;
}

extern "C" {

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
    if (!value || device == peer || attribute < cudaDevP2PAttrPerformanceRank ||
        attribute > cudaDevP2PAttrCudaArrayAccessSupported)
        return remember_error(cudaErrorInvalidValue);
    if (cudaError_t error = cudaDeviceCanAccessPeer(value, device, peer))
        return error;
    if (attribute == cudaDevP2PAttrPerformanceRank ||
        attribute == cudaDevP2PAttrCudaArrayAccessSupported)
        *value = 0;
    return cudaSuccess;
}
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted) {
    return wanted ? tell(device, 0) : remember_error(cudaErrorInvalidValue);
}
cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
    if (!text || bytes < 13)
        return remember_error(cudaErrorInvalidValue);
    if (!is_device(device))
        return remember_error(cudaErrorInvalidDevice);
    snprintf(text, (size_t)bytes, "0000:%02x:00.0", (unsigned)device & 0xff);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
    unsigned number = 0;
    if (!device || !text || sscanf(text, "0000:%x:00.0", &number) != 1 || !is_device((int)number))
        return remember_error(cudaErrorInvalidValue);
    return tell(device, (int)number);
}
cudaError_t cudaSetDeviceFlags(unsigned flags) {
    if (flags > 31)
        return remember_error(cudaErrorInvalidValue);
    device_flags = flags;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned *flags) { return tell(flags, device_flags); }
cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return remember_error(is_device(device) ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaSetValidDevices(int *devices, int count) {
    if (!devices && count)
        return remember_error(cudaErrorInvalidValue);
    for (int i = 0; i < count; i++)
        if (!is_device(devices[i]))
            return remember_error(cudaErrorInvalidDevice);
    return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    if ((size_t)limit >= LIMITS)
        return remember_error(cudaErrorUnsupportedLimit);
    limits[limit] = value;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
    return (size_t)limit < LIMITS ? tell(value, limits[limit])
                                  : remember_error(cudaErrorUnsupportedLimit);
}
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
    return tell(&cache_config, config);
}
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
    return tell(config, cache_config);
}
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
    return tell(&shared_config, config);
}
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
    return tell(config, shared_config);
}
cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig) {
    return remember_error(function ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaCtxResetPersistingL2Cache(void) { return remember_error(sticky_error()); }
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

/* ---- kernels, and pinned memory ---- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
    if (!attributes)
        return remember_error(cudaErrorInvalidValue);
    if (!function)
        return remember_error(cudaErrorInvalidDeviceFunction);
    memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = static_shared(function);
    attributes->maxThreadsPerBlock = (int)thread_limit(function);
    attributes->ptxVersion = attributes->binaryVersion =
        90; /* as the device's compute capability */
    attributes->maxDynamicSharedSizeBytes = (int)dynamic_limit(function);
    return cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache) {
    return remember_error(function ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
/* Host and device have one address space. */
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
    if (!device || flags)
        return remember_error(cudaErrorInvalidValue);
    runtime_guard guard;
    if (!find_pinned(host))
        return remember_error(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned *flags, void *pointer) {
    runtime_guard guard;
    const allocation *a = find_pinned(pointer);
    if (!flags || !a)
        return remember_error(cudaErrorInvalidValue);
    *flags = a->flags;
    return cudaSuccess;
}

/* ---- occupancy ---- */

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int block_size, size_t dynamic_bytes) {
    if (!blocks || block_size <= 0)
        return remember_error(cudaErrorInvalidValue);
    if (!function)
        return remember_error(cudaErrorInvalidDeviceFunction);
    *blocks = block_size <= (int)MAX_THREADS && dynamic_bytes <= dynamic_limit(function);
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int block_size, size_t dynamic_bytes, unsigned flags) {
    if (flags > cudaOccupancyDisableCachingOverride)
        return remember_error(cudaErrorInvalidValue);
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size,
                                                         dynamic_bytes);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                      int blocks, int block_size) {
    if (!bytes || blocks <= 0 || block_size <= 0 || block_size > (int)MAX_THREADS)
        return remember_error(cudaErrorInvalidValue);
    if (!function)
        return remember_error(cudaErrorInvalidDeviceFunction);
    *bytes = blocks == 1 ? dynamic_limit(function) : 0;
    return cudaSuccess;
}

} /* extern "C" */
