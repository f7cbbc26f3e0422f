/* launch.h - a launch: what cpucc makes of k<<<grid, block>>>(...). */
#ifndef CUDACPU_LAUNCH_H
#define CUDACPU_LAUNCH_H
#include "cuda_runtime_api.h"
#include <type_traits>

namespace cudacpu {

/* What a launch needs to know of its kernel: run calls one CUDA thread of it. A launch that waits
 * in a stream keeps a copy of the arguments. */
struct kernel {
    const char *name;
    const void *address;
    void (*run)(const void *arguments);
    const void *arguments;
    size_t argument_bytes;
    void *(*copy)(const void *arguments);
    void (*destroy)(void *copied);
    unsigned most_threads; /* in a block: __launch_bounds__; 0: the device's limit */
    dim3 cluster;          /* blocks that run together: __cluster_dims__; x is 0: none */
    bool begins_early;     /* programmatic dependent launch: it may overlap the kernel before it */
    bool cooperative;      /* its blocks wait for each other: they run as one cluster */
};

/* What stands between <<< and >>>, until the kernel that is called next takes it. */
struct configuration {
    const char *name; /* the kernel's in the source; NULL: its own */
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    const char *file;
    int line;
    const cudaLaunchConfig_t *more = nullptr; /* of cudaLaunchKernelEx: its attributes */
    bool taken = false;
    cudaError_t error = cudaSuccess; /* of the launch */
    configuration *before;           /* a launch among whose arguments this one is */

    configuration(const char *kernel, dim3 grid, dim3 block, size_t shared_bytes = 0,
                  cudaStream_t stream = 0, const char *file = __builtin_FILE(),
                  int line = __builtin_LINE(),
                  cudaStream_t default_stream = CUDACPU_DEFAULT_STREAM);
    configuration(const configuration &) = delete;
    ~configuration();
};

/* For the kernel that the host has called; where that was no launch, a sentence and the end of the
 * program. */
configuration *take_configuration(const char *kernel, const char *file, int line);
/* The error that cudaGetLastError tells too. */
void launch(const kernel &k, configuration *c);

void check_pointer(const char *name, int position, const void *pointer);
/* The pointer before <<<. Where it is null a sentence, and the end of the program, which crashes
 * with nvcc. */
void check_kernel(const void *kernel);

template <class... P> auto kernel_of(void (*kernel)(P...)) {
    check_kernel((const void *)kernel);
    return kernel;
}
template <class R, class... P> auto kernel_of(R (*kernel)(P...)) {
    static_assert(std::is_void<R>::value, "a kernel returns void");
    return kernel;
}
template <class T, class = typename std::enable_if<std::is_class<T>::value>::type>
auto kernel_of(const T &) {
    static_assert(!std::is_class<T>::value,
                  "a launch needs a kernel before <<<, or a pointer to one; this is an object");
    return [](auto &&...) {};
}

} // namespace cudacpu
#endif
