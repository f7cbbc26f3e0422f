/* memory_pools.cpp - pools of memory: the default one of each device, and those that are created.
 */
#include "calls.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/process.h"
#include "runtime/memory/allocation.h"
#include <cstdint>
#include <cstring>
#include <map>
#include <set>

struct CUmemPoolHandle_st {
    int device;
    uint64_t attributes[5];
    bool *access; /* of each device; kept when the pool is destroyed: its memory may live on */
};

namespace cudacpu {
namespace {

std::set<CUmemPoolHandle_st *> &pools = *new std::set<CUmemPoolHandle_st *>();
CUmemPoolHandle_st *default_pools[MAX_DEVICES], *current_pools[MAX_DEVICES];

CUmemPoolHandle_st *make_pool(int device) {
    CUmemPoolHandle_st *pool = new CUmemPoolHandle_st{device, {0, 1, 1, 1, 0}, nullptr};
    pool->access = new bool[MAX_DEVICES]();
    pool->access[device] = true;
    pools.insert(pool);
    return pool;
}
CUmemPoolHandle_st *default_pool(int device) {
    if (!default_pools[device])
        default_pools[device] = make_pool(device);
    return default_pools[device];
}

cudaError_t check_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void *value) {
    if (!pools.count(pool) || !value || attribute < cudaMemPoolReuseFollowEventDependencies ||
        attribute > cudaMemPoolAttrUsedMemHigh)
        return cudaErrorInvalidValue;
    return attribute > cudaMemPoolAttrReleaseThreshold ? cudaErrorNotSupported : cudaSuccess;
}
size_t value_bytes(cudaMemPoolAttr attribute) {
    return attribute == cudaMemPoolAttrReleaseThreshold ? sizeof(uint64_t) : sizeof(int);
}

/* Pools are of devices, not of the host. */
cudaError_t check_place(const cudaMemLocation *where, cudaMemAllocationType type) {
    if (!where)
        return cudaErrorInvalidValue;
    return where->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned
               ? cudaErrorNotSupported
               : cudaSuccess;
}

} // namespace

cudaMemPool_t current_pool(int device) {
    runtime_guard guard;
    return current_pools[device] ? current_pools[device] : default_pool(device);
}
int device_of(cudaMemPool_t pool) { return pool->device; }
const bool *access_of(cudaMemPool_t pool) { return pool->access; }

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    if (!pool || !is_device(device))
        return remember_error(pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    runtime_guard guard;
    *pool = default_pool(device);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    if (!pool || !is_device(device))
        return remember_error(pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *pool = current_pool(device);
    return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    runtime_guard guard;
    if (!is_device(device) || !pools.count(pool) || pool->device != device)
        return remember_error(is_device(device) ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    current_pools[device] = pool;
    return cudaSuccess;
}
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, cudaMemLocation *where,
                                     cudaMemAllocationType type) {
    if (cudaError_t error = check_place(where, type))
        return remember_error(error);
    return cudaDeviceGetDefaultMemPool(pool, where->id);
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, cudaMemLocation *where,
                              cudaMemAllocationType type) {
    if (cudaError_t error = check_place(where, type))
        return remember_error(error);
    return cudaDeviceGetMemPool(pool, where->id);
}
cudaError_t cudaMemSetMemPool(cudaMemLocation *where, cudaMemAllocationType type,
                              cudaMemPool_t pool) {
    if (cudaError_t error = check_place(where, type))
        return remember_error(error);
    return cudaDeviceSetMemPool(where->id, pool);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *p) {
    if (!pool || !p || p->allocType != cudaMemAllocationTypePinned)
        return remember_error(cudaErrorInvalidValue);
    if (p->handleTypes != cudaMemHandleTypeNone || p->location.type != cudaMemLocationTypeDevice)
        return remember_error(cudaErrorNotSupported);
    if (!is_device(p->location.id))
        return remember_error(cudaErrorInvalidValue);
    runtime_guard guard;
    *pool = make_pool(p->location.id);
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    runtime_guard guard;
    if (!pools.count(pool) || pool == default_pools[pool->device])
        return remember_error(cudaErrorInvalidValue);
    if (current_pools[pool->device] == pool)
        current_pools[pool->device] = nullptr;
    pools.erase(pool);
    delete pool;
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
    return remember_error(pools.count(pool) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *what, size_t count) {
    runtime_guard guard;
    if (!pools.count(pool) || (count && !what))
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
    if (!flags || !pools.count(pool) || !location || location->type != cudaMemLocationTypeDevice ||
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
        if (!pools.count(pool))
            return remember_error(cudaErrorInvalidValue);
    }
    return allocate_in_stream(pointer, bytes, stream, pool, __builtin_return_address(0));
}

} /* extern "C" */
