/* allocations.cpp - cudaMalloc, cudaFree and their kin, those of a stream too; and host memory that
 * is pinned, allocated or the program's own. */
#include "calls.h"
#include "cuda_runtime_api.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/memory/allocation.h"
#include "runtime/memory/protection.h"
#include "runtime/streams/async_mode.h"
#include "runtime/streams/stream_queue.h"
#include <cstdint>
#include <cstring>
#include <unistd.h>

namespace cudacpu {
namespace {

const size_t PITCH = 512;

/* A failed cudaFree is often met only where the program next asks for an error: said here. */
cudaError_t refuse_to_free(const void *pointer, bool host, const char *function) {
    const allocation *a = find_allocation(pointer);
    const char *why = !a                                ? "was not allocated by CUDA"
                      : a->freed || a->to_be_freed      ? "was freed before"
                      : pointer != a->data              ? "is not an allocation's beginning"
                      : host && a->kind != HOST_MEMORY  ? "belongs to cudaFree"
                      : !host && a->kind == HOST_MEMORY ? "belongs to cudaFreeHost"
                                                        : "is host memory of the program's own";
    say("warning: ", function, " was given a pointer that ", why,
        after(", at ", place_of(find_call_path())));
    return cudaErrorInvalidValue;
}

/* The host waits until nobody uses the memory, except where nothing says that it does: then what is
 * still to use it is a fault. For its device it waits, not for others that use it. */
cudaError_t free_now(void *pointer, bool host, const char *function) {
    if (sticky_error())
        return sticky_error();
    runtime_guard guard;
    if (!pointer)
        return cudaSuccess;
    allocation *a = find_to_free(pointer, host);
    if (!a)
        return refuse_to_free(pointer, host, function);
    if (!host && (!a->in_stream_order || a->of_graph))
        wait_for_device(a->device);
    if (a->of_graph)
        return sticky_error();
    if (follows_accesses && (host || a->in_stream_order || device_count() > 1))
        tell(&observer::host_frees, function, a->data, a->bytes);
    if (host || follows_accesses)
        wait_for_all();
    release(a);
    return sticky_error();
}

cudaError_t free_in_stream(void *pointer, CUstream_st *stream, void *caller) {
    if (sticky_error())
        return sticky_error();
    runtime_guard guard;
    if (!pointer)
        return cudaSuccess;
    allocation *a = find_to_free(pointer, false);
    if (!a)
        return cudaErrorInvalidValue;
    if (a->of_graph)
        return capturing->free(stream, caller);
    if (performs_at_once()) {
        release(a);
        return cudaSuccess;
    }
    a->to_be_freed = true;
    a->freed_by = find_call_path();
    stream_operation o = make_operation("cudaFreeAsync", caller);
    o.uses.push_back({a->data, a->bytes, a->bytes, 1, true});
    o.life = FREED;
    o.perform = [pointer](const stream_operation &self) {
        if (follows_accesses) /* it sees who uses the memory without an order, when they have */
            perform_before(self.number);
        release(find_live_allocation(pointer));
    };
    issue(stream, std::move(o));
    return cudaSuccess;
}

/* Memory that is closed to the program cannot be pinned: a pipe takes a byte of each page. */
bool is_readable(const char *pointer, size_t bytes) {
    int ends[2];
    if (pipe(ends) != 0)
        return true;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    bool readable = true;
    char byte;
    for (size_t at = 0; readable && at < bytes; at += page - ((size_t)pointer + at) % page)
        readable = write(ends[1], pointer + at, 1) == 1 && read(ends[0], &byte, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return readable;
}

} // namespace

/* Called before main: one launch more than there are, in which memory is open. */
bool share_device_memory() {
    insist_on_early();
    keep_memory_open();
    return true;
}

CUmemPoolHandle_st *default_pool(int device) {
    static CUmemPoolHandle_st pools[MAX_DEVICES];
    pools[device].device = device;
    pools[device].access[device] = true;
    return &pools[device];
}
CUmemPoolHandle_st *&current_pool(int device) {
    static CUmemPoolHandle_st *pools[MAX_DEVICES];
    if (!pools[device])
        pools[device] = default_pool(device);
    return pools[device];
}

cudaError_t allocate_in_stream(void **pointer, size_t bytes, cudaStream_t handle,
                               CUmemPoolHandle_st *pool, void *caller) {
    runtime_guard guard;
    CUstream_st *stream = find_stream(handle);
    if (!stream)
        return remember_error(cudaErrorInvalidResourceHandle);
    if (!pool)
        pool = current_pool(stream->device);
    device_scope scope(pool->device);
    const cudaError_t error = cudaMalloc(pointer, bytes);
    if (error != cudaSuccess || !bytes)
        return error;
    allocation *const a = find_live_allocation(*pointer);
    a->in_stream_order = true;
    a->access = pool->access;
    if (is_captured(stream))
        return capturing->allocate(a, stream, caller);
    if (performs_at_once())
        return cudaSuccess;
    stream_operation o = make_operation("cudaMallocAsync", caller);
    o.uses.push_back({*pointer, bytes, bytes, 1, true});
    o.life = ALLOCATED;
    o.perform = [](const stream_operation &) {};
    issue(stream, std::move(o));
    return cudaSuccess;
}

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    if (cudaError_t error = check_call(pointer))
        return error;
    *pointer = nullptr;
    return remember_error(bytes ? allocate(pointer, bytes, DEVICE_MEMORY) : cudaSuccess);
}
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    if (cudaError_t error = check_call(pointer && pitch))
        return error;
    *pointer = nullptr;
    *pitch = 0;
    if (width == 0 || height == 0)
        return cudaSuccess;
    size_t row, bytes;
    if (width > SIZE_MAX - 2 * PITCH)
        return remember_error(cudaErrorInvalidValue);
    row = (width + PITCH - 1) / PITCH * PITCH;
    if (row % 4096 == 0 &&
        !follows_accesses) /* rows that all fall into the same sets of the CPU's cache */
        row += PITCH;
    if (__builtin_mul_overflow(row, height, &bytes))
        return remember_error(cudaErrorMemoryAllocation);
    cudaError_t error = allocate(pointer, bytes, DEVICE_MEMORY, row, width);
    if (error == cudaSuccess)
        *pitch = row;
    return remember_error(error);
}
cudaError_t cudaFree(void *pointer) { return remember_error(free_now(pointer, false, "cudaFree")); }
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t handle) {
    return allocate_in_stream(pointer, bytes, handle, nullptr, __builtin_return_address(0));
}
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle) {
    CUstream_st *stream = find_stream(handle);
    if (!stream)
        return remember_error(cudaErrorInvalidResourceHandle);
    return remember_error(free_in_stream(pointer, stream, __builtin_return_address(0)));
}
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    if (cudaError_t error = check_call(
            pointer && bytes && (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost)))
        return error;
    return remember_error(allocate(pointer, bytes, MANAGED_MEMORY));
}
cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
    return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    if (cudaError_t error = check_call(pointer && flags <= 7))
        return error;
    *pointer = nullptr;
    return remember_error(bytes ? allocate(pointer, bytes, HOST_MEMORY, 0, 0, flags) : cudaSuccess);
}
cudaError_t cudaFreeHost(void *pointer) {
    return remember_error(free_now(pointer, true, "cudaFreeHost"));
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer) {
    if (!attributes)
        return remember_error(cudaErrorInvalidValue);
    runtime_guard guard;
    const allocation *a = find_live_allocation(pointer);
    memset(attributes, 0, sizeof *attributes);
    if (!a) {
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->device = -2;
        attributes->hostPointer = (void *)pointer;
        return cudaSuccess;
    }
    attributes->type = a->kind == DEVICE_MEMORY    ? cudaMemoryTypeDevice
                       : a->kind == MANAGED_MEMORY ? cudaMemoryTypeManaged
                                                   : cudaMemoryTypeHost;
    attributes->device = a->device;
    attributes->devicePointer = (void *)pointer;
    attributes->hostPointer = a->kind == DEVICE_MEMORY ? nullptr : (void *)pointer;
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    if (cudaError_t error = check_call(pointer && bytes && flags <= 15))
        return error;
    runtime_guard guard;
    if (!find_allocation(pointer) && !is_readable((const char *)pointer, bytes))
        return remember_error(cudaErrorInvalidValue);
    return remember_error(
        add_registered(pointer, bytes, flags) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered);
}
cudaError_t cudaHostUnregister(void *pointer) {
    if (cudaError_t error = check_call(pointer))
        return error;
    runtime_guard guard;
    allocation *a = find_live_allocation(pointer);
    if (!a || a->kind != REGISTERED_MEMORY || a->data != pointer)
        return remember_error(cudaErrorHostMemoryNotRegistered);
    tell(&observer::host_frees, "cudaHostUnregister", a->data, a->bytes);
    wait_for_all();
    forget(*a);
    return remember_error(sticky_error());
}
} /* extern "C" */
