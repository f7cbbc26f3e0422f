/* launch_config.h - cudaLaunchKernelEx and cudaLaunchKernelExC: launches with a configuration; and
 * cudaLaunchKernel and cudaLaunchCooperativeKernel. */
#ifndef CUDACPU_LAUNCH_CONFIG_H
#define CUDACPU_LAUNCH_CONFIG_H
#include "cudacpu/launch.h"
#include <utility>

namespace cudacpu {

/* A launch of the kernel at this address, with arguments at those; name and file may be NULL. */
cudaError_t launch_known(const void *kernel, const cudaLaunchConfig_t *config, void **arguments,
                         const char *name, const char *file, int line, cudaStream_t default_stream);
/* Of a config or kernel that is null. */
cudaError_t check_launch_call(const void *kernel, const cudaLaunchConfig_t *config);

/* What cpucc makes of these calls: their functions, and the kernel's name in the source. */
struct named_launch {
    const char *name, *file;
    int line;
    cudaStream_t default_stream;

    explicit named_launch(const char *kernel, const char *where = __builtin_FILE(),
                          int number = __builtin_LINE(), cudaStream_t s = CUDACPU_DEFAULT_STREAM)
        : name(kernel), file(where), line(number), default_stream(s) {}

    template <class... P, class... A>
    cudaError_t ex(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...arguments) const {
        if (cudaError_t error = check_launch_call((const void *)kernel, config))
            return error;
        configuration c(name, config->gridDim, config->blockDim, config->dynamicSmemBytes,
                        config->stream, file, line, default_stream);
        c.more = config;
        kernel(std::forward<A>(arguments)...);
        return c.error;
    }
    /* arguments points to each argument */
    template <class K>
    cudaError_t ex_c(const cudaLaunchConfig_t *config, K kernel, void **arguments) const {
        return launch_known((const void *)kernel, config, arguments, name, file, line,
                            default_stream);
    }
    template <class K>
    cudaError_t kernel(K kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
                       cudaStream_t stream = 0) const {
        const cudaLaunchConfig_t config = {grid, block, shared_bytes, stream, nullptr, 0};
        return ex_c(&config, kernel, arguments);
    }
    template <class K>
    cudaError_t cooperative(K kernel, dim3 grid, dim3 block, void **arguments,
                            size_t shared_bytes = 0, cudaStream_t stream = 0) const {
        cudaLaunchAttribute attribute = {};
        attribute.id = cudaLaunchAttributeCooperative;
        attribute.val.cooperative = 1;
        const cudaLaunchConfig_t config = {grid, block, shared_bytes, stream, &attribute, 1};
        return ex_c(&config, kernel, arguments);
    }
};

} // namespace cudacpu
#endif
