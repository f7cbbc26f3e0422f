/* device_settings.cpp - what a program may ask of a device beside its properties: its place on the
 * bus, flags, limits, preferences for caches. They are kept, and change nothing here. */
#include "cuda_runtime_api.h"
#include "cudacpu/typed_api.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/lock.h"
#include "runtime/memory/allocation.h"
#include "runtime/streams/stream_queue.h"
#include <cstdio>
#include <cstring>

using namespace cudacpu;

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
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
    return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit) {
    return cudaDeviceGetLimit(value, limit);
}
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) {
    return cudaDeviceSetCacheConfig(config);
}
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config) {
    return cudaDeviceGetCacheConfig(config);
}
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

} /* extern "C" */
