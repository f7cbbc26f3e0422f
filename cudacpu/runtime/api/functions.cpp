/* functions.cpp - attributes of kernels. */
#include "functions.h"
#include "cuda_runtime_api.h"
#include "cudacpu/kernel.h"
#include "device.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/lock.h"
#include "runtime/host/symbols.h"
#include "runtime/host/unasked_error.h"
#include "runtime/scheduler/worker.h"
#include <cstring>
#include <map>

namespace cudacpu {
namespace {

/* cudaFuncAttributeMaxDynamicSharedMemorySize, for each device */
std::map<std::pair<int, const void *>, size_t> raised;

} // namespace

unsigned thread_limit(const void *function) {
    known_kernel found;
    return find_kernel(function, &found) && found.most_threads && found.most_threads < MAX_THREADS
               ? found.most_threads
               : MAX_THREADS;
}

size_t dynamic_limit(const void *function) {
    runtime_guard guard;
    auto found = raised.find({current_device(), function});
    const size_t fixed = static_shared(function);
    size_t limit = shared_default() > fixed ? shared_default() - fixed : 0;
    return function && found != raised.end() && found->second > limit ? found->second : limit;
}
void forget_function_limits(int device) {
    raised.erase(raised.lower_bound({device, nullptr}), raised.lower_bound({device + 1, nullptr}));
}

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                 int value) {
    if (sticky_error())
        return remember_error(sticky_error());
    if (!function)
        return remember_error(cudaErrorInvalidDeviceFunction);
    runtime_guard guard;
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return remember_error(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) /* more than 8 blocks: no */
        return remember_error(value == 0 || value == 1 ? cudaSuccess : cudaErrorInvalidValue);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0)
        return remember_error(cudaErrorInvalidValue);
    const size_t fixed = static_shared(function);
    if ((size_t)value + fixed > shared_optin())
        return remember_error(explain(
            cudaErrorInvalidValue, std::to_string(value) + " bytes of dynamic shared memory" +
                                       (fixed ? " and " + std::to_string(fixed) + " static" : "") +
                                       "; " + std::to_string(shared_optin()) + " is the most"));
    raised[{current_device(), function}] = (size_t)value;
    return cudaSuccess;
}
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

} /* extern "C" */
