/* functions.cpp - kernels by their address: launched, and their limits. */
#include "calls.h"
#include "cuda_runtime_api.h"
#include "cudacpu/kernel.h"
#include "cudacpu/launch_config.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/process.h"
#include "runtime/host/symbols.h"
#include "runtime/scheduler/worker.h"
#include <map>

namespace cudacpu {
namespace {

/* Also for variables of the program that are made before the runtime's. */
std::map<const void *, known_kernel> &known_kernels() {
    static auto &known = *new std::map<const void *, known_kernel>();
    return known;
}

/* cudaFuncAttributeMaxDynamicSharedMemorySize, for each device */
std::map<std::pair<int, const void *>, size_t> raised;

} // namespace

bool know_kernel(const known_kernel &kernel) {
    runtime_guard guard;
    known_kernels()[kernel.function] = kernel;
    return true;
}
bool find_kernel(const void *function, known_kernel *kernel) {
    runtime_guard guard;
    const auto found = known_kernels().find(function);
    if (found == known_kernels().end())
        return false;
    *kernel = found->second;
    return true;
}

cudaError_t check_launch_call(const void *kernel, const cudaLaunchConfig_t *config) {
    if (!kernel)
        return remember_error(cudaErrorInvalidDeviceFunction);
    if (!config || (config->numAttrs && !config->attrs))
        return remember_error(cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t launch_known(const void *kernel, const cudaLaunchConfig_t *config, void **arguments,
                         const char *name, const char *file, int line,
                         cudaStream_t default_stream) {
    if (cudaError_t error = check_launch_call(kernel, config))
        return error;
    known_kernel found;
    if (!find_kernel(kernel, &found)) {
        say(file ? file : "?", ":", line, ": ", name ? name : "a launch",
            ": the pointer is not that of a kernel");
        return remember_error(cudaErrorInvalidDeviceFunction);
    }
    if (found.parameters && !arguments)
        return remember_error(cudaErrorInvalidValue);
    configuration c(name, config->gridDim, config->blockDim, config->dynamicSmemBytes,
                    config->stream, file, line, default_stream);
    c.more = config;
    found.call(arguments);
    return c.error;
}

/* ---- attributes ---- */

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
    if (cudaError_t error = check_call(function, cudaErrorInvalidDeviceFunction))
        return error;
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
            cudaErrorInvalidValue, value, " bytes of dynamic shared memory",
            fixed ? text(" and ", fixed, " static") : "", "; ", shared_optin(), " is the most"));
    raised[{current_device(), function}] = (size_t)value;
    return cudaSuccess;
}

} /* extern "C" */
