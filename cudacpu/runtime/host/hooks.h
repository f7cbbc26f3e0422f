/* hooks.h - functions that a program may define for its tests: where it does, the runtime calls
 * them. */
#ifndef CUDACPU_RUNTIME_HOOKS_H
#define CUDACPU_RUNTIME_HOOKS_H
#include "cuda_runtime_api.h"
#include <cstddef>

extern "C" {
/* Rows of data that a copy has just brought to where only the device reaches, from where host code
 * does: its own memory, pinned, registered and managed memory, and variables. */
__attribute__((weak)) void cudacpu_hook_uploaded(void *data, size_t pitch, size_t width,
                                                 size_t height);
/* Rows of data that a copy brings the other way: where they lie on the device. */
__attribute__((weak)) void cudacpu_hook_downloads(const void *data, size_t pitch, size_t width,
                                                  size_t height);
/* The same rows where they have arrived. */
__attribute__((weak)) void cudacpu_hook_downloaded(void *data, size_t pitch, size_t width,
                                                   size_t height);
/* Rows of data that a copy has brought from such memory to the host. */
__attribute__((weak)) void cudacpu_hook_fetched(void *data, size_t pitch, size_t width,
                                                size_t height);
/* Memory that host code and kernels share (pinned, registered, managed; __device__, __constant__
 * and __managed__ variables), before and after a launch. */
__attribute__((weak)) void cudacpu_hook_host_memory(void *data, size_t bytes, int launch_ended);
/* Host memory that a copy is given, before it is done, and the call that returns to caller. */
__attribute__((weak)) void cudacpu_hook_host_pointer(const void *pointer, const char *function,
                                                     void *caller);
/* Device memory that was filled with a byte. */
__attribute__((weak)) void cudacpu_hook_filled(void);
/* Bytes of a launch's arguments; another result than cudaSuccess: the launch fails with it. */
__attribute__((weak)) cudaError_t cudacpu_hook_launch(const char *kernel, size_t argument_bytes);
/* What the JSON report of inspect has as its "seal". */
__attribute__((weak)) const char *cudacpu_hook_seal(void);
}
#endif
