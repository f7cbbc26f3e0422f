/* memory_pools.cpp - pools of memory: the default one of each device, and those that are created.
 */
#include "runtime/api/calls.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/process.h"
#include "runtime/memory/allocation.h"
#include <cstring>
#include <set>

namespace cudacpu {
namespace {

std::set<cudaMemPool_t> &created = *new std::set<cudaMemPool_t>();

bool is_pool(cudaMemPool_t pool) {
    for (int device = 0; device < device_count(); device++)
        if (pool == default_pool(device))
            return true;
    return created.count(pool);
}

cudaError_t check_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void *value) {
    if (!is_pool(pool) || !value || attribute < cudaMemPoolReuseFollowEventDependencies ||
        attribute > cudaMemPoolAttrUsedMemHigh)
        return cudaErrorInvalidValue;
    return attribute > cudaMemPoolAttrReleaseThreshold ? cudaErrorNotSupported : cudaSuccess;
}
size_t value_bytes(cudaMemPoolAttr attribute) {
    return attribute == cudaMemPoolAttrReleaseThreshold ? sizeof(uint64_t) : sizeof(int);
}

template <class F> cudaError_t give_pool(cudaMemPool_t *pool, int device, F pool_of) {
    if (!pool || !is_device(device))
        return remember_error(pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    runtime_guard guard;
    *pool = pool_of(device);
    return cudaSuccess;
}

/* Pools are of devices, not of the host. call: of a device's number. */
template <class F>
cudaError_t call_at(const cudaMemLocation *where, cudaMemAllocationType type, F call) {
    if (!where)
        return remember_error(cudaErrorInvalidValue);
    return where->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned
               ? remember_error(cudaErrorNotSupported)
               : call(where->id);
}

} // namespace
} // namespace cudacpu

using namespace cudacpu;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    return give_pool(pool, device, default_pool);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    return give_pool(pool, device, current_pool);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    runtime_guard guard;
    if (!is_device(device) || !is_pool(pool) || pool->device != device)
        return remember_error(is_device(device) ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    current_pool(device) = pool;
    return cudaSuccess;
}
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, cudaMemLocation *where,
                                     cudaMemAllocationType type) {
    return call_at(where, type,
                   [=](int device) { return cudaDeviceGetDefaultMemPool(pool, device); });
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, cudaMemLocation *where,
                              cudaMemAllocationType type) {
    return call_at(where, type, [=](int device) { return cudaDeviceGetMemPool(pool, device); });
}
cudaError_t cudaMemSetMemPool(cudaMemLocation *where, cudaMemAllocationType type,
                              cudaMemPool_t pool) {
    return call_at(where, type, [=](int device) { return cudaDeviceSetMemPool(device, pool); });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *p) {
    if (!pool || !p || p->allocType != cudaMemAllocationTypePinned)
        return remember_error(cudaErrorInvalidValue);
    if (p->handleTypes != cudaMemHandleTypeNone || p->location.type != cudaMemLocationTypeDevice)
        return remember_error(cudaErrorNotSupported);
    if (!is_device(p->location.id))
        return remember_error(cudaErrorInvalidValue);
    runtime_guard guard;
    *pool = new CUmemPoolHandle_st{p->location.id};
    (*pool)->access[p->location.id] = true;
    created.insert(*pool);
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    runtime_guard guard;
    if (!created.erase(pool))
        return remember_error(cudaErrorInvalidValue);
    if (current_pool(pool->device) == pool)
        current_pool(pool->device) = default_pool(pool->device);
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
    runtime_guard guard;
    if (cudaError_t error = check_attribute(pool, attribute, value))
        return remember_error(error);
    memcpy(&pool->attributes[attribute], value, value_bytes(attribute));
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
    runtime_guard guard;
    if (cudaError_t error = check_attribute(pool, attribute, value))
        return remember_error(error);
    memcpy(value, &pool->attributes[attribute], value_bytes(attribute));
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
    runtime_guard guard;
    return remember_error(is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *what, size_t count) {
    runtime_guard guard;
    if (!is_pool(pool) || (count && !what))
        return remember_error(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        const int device = what[i].location.id;
        const bool gives = what[i].flags == cudaMemAccessFlagsProtReadWrite;
        if (what[i].location.type != cudaMemLocationTypeDevice || !is_device(device) ||
            (!gives && what[i].flags != cudaMemAccessFlagsProtNone) ||
            (!gives && device == pool->device))
            return remember_error(cudaErrorInvalidValue);
        int can = device == pool->device;
        if (!can && cudaDeviceCanAccessPeer(&can, device, pool->device) == cudaSuccess && !can)
            return remember_error(cudaErrorPeerAccessUnsupported);
    }
    for (size_t i = 0; i < count; i++)
        pool->access[what[i].location.id] = what[i].flags == cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 cudaMemLocation *location) {
    runtime_guard guard;
    if (!flags || !is_pool(pool) || !location || location->type != cudaMemLocationTypeDevice ||
        !is_device(location->id))
        return remember_error(cudaErrorInvalidValue);
    *flags =
        pool->access[location->id] ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    {
        runtime_guard guard;
        if (!is_pool(pool))
            return remember_error(cudaErrorInvalidValue);
    }
    return allocate_in_stream(pointer, bytes, stream, pool, __builtin_return_address(0));
}

} /* extern "C" */
