/* device.cpp - a device's limits of shared memory, its reset, versions. */
#include "device.h"
#include "cuda_runtime_api.h"
#include "functions.h"
#include "runtime/host/devices.h"
#include "runtime/host/environment.h"
#include "runtime/host/errors.h"
#include "runtime/host/lock.h"
#include "runtime/host/machine.h"
#include "runtime/memory/allocation.h"
#include "runtime/streams/stream_queue.h"
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
    char after;
    if (text && *text) {
        if (text[strspn(text, "0123456789,")] ||
            sscanf(text, "%lu,%lu%c", &low[0], &low[1], &after) != 2)
            refuse_setting("CUDACPU_SHARED", text, "two numbers of bytes, such as 1000,2000");
        given[0] = low[0] < given[0] ? low[0] : given[0];
        given[1] = low[1] < given[1] ? low[1] : given[1];
        if (given[1] < given[0])
            given[1] = given[0];
    }
    return given[which];
}

} // namespace

size_t shared_default() { return shared_limit(0); }
size_t shared_optin() { return shared_limit(1); }

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

} /* extern "C" */
