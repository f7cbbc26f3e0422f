/* launch_config.h - cudaLaunchKernelEx and cudaLaunchKernelExC: launches with a configuration; and
 * cudaLaunchKernel and cudaLaunchCooperativeKernel. */
#ifndef CUDACPU_LAUNCH_CONFIG_H
#define CUDACPU_LAUNCH_CONFIG_H
#include "cudacpu/cluster_dims.h"
#include "cudacpu/launch.h"
#include <type_traits>
#include <utility>

namespace cudacpu {

/* What the attributes of a launch say: its clusters (own: those that the kernel itself has; x is 0:
 * none), whether it may begin before the kernel before it has ended, and whether its blocks may
 * wait for each other. Errors, which
 * cudaGetLastError tells too: cudaErrorInvalidDeviceFunction where there is no kernel,
 * cudaErrorInvalidClusterSize where an attribute contradicts __cluster_dims__, and
 * cudaErrorInvalidValue for an attribute that is not known. */
cudaError_t read_attributes(const void *kernel, const cudaLaunchConfig_t *config, dim3 own,
                            dim3 *cluster, bool *begins_early, bool *cooperative);

template <class... P> struct named_kernel {
    const char *name, *file;
    int line;
    bool in_clusters; /* it has __cluster_dims__, or a namesake of it has */
    void (*function)(P...);
    cudaStream_t default_stream;

    cudaError_t launch(const cudaLaunchConfig_t *config, P... arguments) const {
        const auto kernel = function;
        dim3 own(0), cluster;
        bool begins_early, cooperative;
        if (in_clusters && kernel) {
            const auto thread = [&] { kernel(arguments...); };
            own = ask_cluster(launcher::run<decltype(thread)>, &thread);
        }
        if (cudaError_t error = read_attributes((const void *)kernel, config, own, &cluster,
                                                &begins_early, &cooperative))
            return error;
        const auto &[grid, block, bytes, stream, attributes, count] = *config;
        (void)attributes, (void)count;
        return launcher(name, file, line)
            .configure(grid, block, bytes, stream, default_stream)
            .cluster(cluster)
            .early(begins_early)
            .cooperative(cooperative)
            .start([=](auto get) -> decltype(get(kernel)) { return get(kernel); },
                   [=](P... given) { kernel(given...); }, arguments...);
    }
    template <size_t... I>
    cudaError_t launch(const cudaLaunchConfig_t *config, void **arguments,
                       std::index_sequence<I...>) const {
        (void)arguments;
        return launch(config, *static_cast<typename std::remove_const<P>::type *>(arguments[I])...);
    }
};

/* A kernel that the program has taken the address of, as a void *: what launches it, and the bytes
 * of each parameter. */
struct known_kernel {
    const char *name;
    const void *function;
    bool in_clusters;
    size_t parameters;
    const size_t *parameter_bytes;
    cudaError_t (*launch)(const known_kernel &self, const cudaLaunchConfig_t *config,
                          void **arguments);
    const char *file;
    int line;
};
void know_kernel(const known_kernel &kernel);
bool find_kernel(const void *function, known_kernel *kernel);

template <class... P> constexpr size_t parameter_bytes[] = {sizeof(P)..., 0};
template <class... P>
cudaError_t launch_known(const known_kernel &self, const cudaLaunchConfig_t *config,
                         void **arguments) {
    const named_kernel<P...> kernel = {
        self.name,       self.file, self.line, self.in_clusters, (void (*)(P...))self.function,
        cudaStreamLegacy};
    return kernel.launch(config, arguments, std::index_sequence_for<P...>());
}
/* What cpucc makes of (void *)kernel. */
template <class... P>
void *kernel_address(const char *name, bool in_clusters, void (*kernel)(P...),
                     const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    know_kernel({name, (const void *)kernel, in_clusters, sizeof...(P), parameter_bytes<P...>,
                 launch_known<P...>, file, line});
    return (void *)kernel;
}

/* A variable that has a kernel's name. */
template <class T> T kernel_address(const char *, bool, T other) { return other; }

/* A kernel in a call by a pointer without its parameters' types. */
struct pointed_kernel {
    const void *function;
    const char *file;
    int line;
};

/* What cpucc makes of the second argument of both. */
template <class... P>
named_kernel<P...> name_kernel(const char *name, bool in_clusters, void (*kernel)(P...),
                               const char *file = __builtin_FILE(), int line = __builtin_LINE(),
                               cudaStream_t default_stream = CUDACPU_DEFAULT_STREAM) {
    return {name, file, line, in_clusters, kernel, default_stream};
}
inline pointed_kernel name_kernel(const char *, bool, const void *kernel,
                                  const char *file = __builtin_FILE(),
                                  int line = __builtin_LINE()) {
    return {kernel, file, line};
}

/* What cpucc makes of cudaLaunchKernelEx. */
template <class... P, class... A>
cudaError_t launch_with(const cudaLaunchConfig_t *config, named_kernel<P...> kernel,
                        A &&...arguments) {
    return kernel.launch(config, std::forward<A>(arguments)...);
}
/* And of cudaLaunchKernelExC: arguments points to each argument. */
template <class... P>
cudaError_t launch_with_pointers(const cudaLaunchConfig_t *config, named_kernel<P...> kernel,
                                 void **arguments) {
    return kernel.launch(config, arguments, std::index_sequence_for<P...>());
}

/* The pointer is that of (void *)name; else cudaErrorInvalidDeviceFunction, and a sentence. */
cudaError_t launch_with_pointers(const cudaLaunchConfig_t *config, pointed_kernel kernel,
                                 void **arguments);

/* What cpucc makes of cudaLaunchKernel and of cudaLaunchCooperativeKernel. */
template <class kernel_type>
cudaError_t launch_kernel(kernel_type kernel, dim3 grid, dim3 block, void **arguments,
                          size_t shared_bytes = 0, cudaStream_t stream = 0,
                          cudaStream_t default_stream = CUDACPU_DEFAULT_STREAM) {
    const cudaLaunchConfig_t config = {
        grid, block, shared_bytes, stream ? stream : default_stream, nullptr, 0};
    return launch_with_pointers(&config, kernel, arguments);
}
template <class kernel_type>
cudaError_t launch_cooperative_kernel(kernel_type kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t shared_bytes = 0, cudaStream_t stream = 0,
                                      cudaStream_t default_stream = CUDACPU_DEFAULT_STREAM) {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    const cudaLaunchConfig_t config = {
        grid, block, shared_bytes, stream ? stream : default_stream, &attribute, 1};
    return launch_with_pointers(&config, kernel, arguments);
}

} // namespace cudacpu
#endif
