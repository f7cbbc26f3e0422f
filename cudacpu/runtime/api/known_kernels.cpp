/* known_kernels.cpp - the program's kernels by their address. */
#include "cudacpu/kernel.h"
#include "cudacpu/launch_config.h"
#include "runtime/host/errors.h"
#include "runtime/host/lock.h"
#include <cstdio>
#include <map>

namespace cudacpu {
namespace {

/* Also for variables of the program that are made before the runtime's. */
std::map<const void *, known_kernel> &known_kernels() {
    static auto &known = *new std::map<const void *, known_kernel>();
    return known;
}

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
        fprintf(stderr, "cudacpu: %s:%d: %s: the pointer is not that of a kernel\n",
                file ? file : "?", line, name ? name : "a launch");
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

} // namespace cudacpu
