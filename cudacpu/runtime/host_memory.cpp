/* host_memory.cpp - cudaHostRegister, which pins memory of the program's own, and what is asked of
 * pinned memory. */
#include "allocation.h"
#include "cuda_runtime_api.h"
#include "errors.h"
#include "lock.h"
#include "observer.h"
#include "stream_queue.h"
#include <unistd.h>

using namespace cudacpu;

namespace {

/* Pinned host memory that holds pointer, allocated or registered. */
const allocation *find_pinned(const void *pointer) {
    const allocation *a = find_live_allocation(pointer);
    return a && (a->kind == HOST_MEMORY || a->kind == REGISTERED_MEMORY) ? a : nullptr;
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

extern "C" {

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    if (sticky_error())
        return remember_error(sticky_error());
    if (!pointer || bytes == 0 || flags > 15)
        return remember_error(cudaErrorInvalidValue);
    runtime_guard guard;
    if (!find_allocation(pointer) && !is_readable((const char *)pointer, bytes))
        return remember_error(cudaErrorInvalidValue);
    return remember_error(
        add_registered(pointer, bytes, flags) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered);
}
cudaError_t cudaHostUnregister(void *pointer) {
    if (sticky_error())
        return remember_error(sticky_error());
    if (!pointer)
        return remember_error(cudaErrorInvalidValue);
    runtime_guard guard;
    const allocation *a = find_pinned(pointer);
    if (!a || a->kind != REGISTERED_MEMORY || a->data != pointer)
        return remember_error(cudaErrorHostMemoryNotRegistered);
    if (observing)
        observing->host_frees("cudaHostUnregister", a->data, a->bytes);
    wait_for_all();
    remove_registered(pointer);
    return remember_error(sticky_error());
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

} /* extern "C" */
