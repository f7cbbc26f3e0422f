/* known_kernels.cpp - kernels whose address the program has taken as a void *. */
#include "cudacpu/launch_config.h"
#include "errors.h"
#include "lock.h"
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

void know_kernel(const known_kernel &kernel) {
    runtime_guard guard;
    known_kernels()[kernel.function] = kernel;
}
bool find_kernel(const void *function, known_kernel *kernel) {
    runtime_guard guard;
    const auto found = known_kernels().find(function);
    if (found == known_kernels().end())
        return false;
    *kernel = found->second;
    return true;
}

cudaError_t launch_with_pointers(const cudaLaunchConfig_t *config, pointed_kernel kernel,
                                 void **arguments) {
    known_kernel found;
    if (!find_kernel(kernel.function, &found)) {
        fprintf(stderr,
                "cudacpu: %s:%d: the pointer is not that of a kernel: it must have been made as "
                "(void *)name, in a .cu file\n",
                kernel.file, kernel.line);
        return remember_error(cudaErrorInvalidDeviceFunction);
    }
    found.file = kernel.file;
    found.line = kernel.line;
    return found.launch(found, config, arguments);
}

} // namespace cudacpu
