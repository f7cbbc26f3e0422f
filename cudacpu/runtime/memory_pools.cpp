/* memory_pools.cpp - pools of memory: the default one of each device, and those that are created.
 */
#include "devices.h"
#include "errors.h"
#include "lock.h"
#include <cstdint>
#include <cstring>
#include <map>
#include <set>

struct CUmemPoolHandle_st {
    int device;
    uint64_t attributes[5];
};

namespace cudacpu {
namespace {

std::set<CUmemPoolHandle_st *> &pools = *new std::set<CUmemPoolHandle_st *>();
CUmemPoolHandle_st *default_pools[MAX_DEVICES], *current_pools[MAX_DEVICES];

CUmemPoolHandle_st *make_pool(int device) {
    CUmemPoolHandle_st *pool = new CUmemPoolHandle_st{device, {0, 1, 1, 1, 0}};
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

} // namespace
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
    runtime_guard guard;
    *pool = current_pools[device] ? current_pools[device] : default_pool(device);
    return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    runtime_guard guard;
    if (!is_device(device) || !pools.count(pool) || pool->device != device)
        return remember_error(is_device(device) ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    current_pools[device] = pool;
    return cudaSuccess;
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
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    {
        runtime_guard guard;
        if (!pools.count(pool))
            return remember_error(cudaErrorInvalidValue);
    }
    return cudaMallocAsync(pointer, bytes, stream);
}

} /* extern "C" */
