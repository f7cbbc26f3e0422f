/* hooks.h - functions that a program may define for its tests: where it does, the runtime calls
 * them. */
#ifndef CUDACPU_RUNTIME_HOOKS_H
#define CUDACPU_RUNTIME_HOOKS_H
#include "cuda_runtime_api.h"
#include <cstddef>

extern "C" {
/* Rows of data that a copy has just brought from the host to the device. */
__attribute__((weak)) void cudacpu_hook_uploaded(void *data, size_t pitch, size_t width,
                                                 size_t height);
/* Rows of data that a copy brings from the device to the host: where they lie on the device. */
__attribute__((weak)) void cudacpu_hook_downloads(const void *data, size_t pitch, size_t width,
                                                  size_t height);
/* The same rows where they have arrived. */
__attribute__((weak)) void cudacpu_hook_downloaded(void *data, size_t pitch, size_t width,
                                                   size_t height);
/* Host memory that kernels may use (pinned, registered, managed), before and after a launch. */
__attribute__((weak)) void cudacpu_hook_host_memory(void *data, size_t bytes, int launch_ended);
/* Bytes of a launch's arguments; another result than cudaSuccess: the launch fails with it. */
__attribute__((weak)) cudaError_t cudacpu_hook_launch(const char *kernel, size_t argument_bytes);
/* What the JSON report of inspect has as its "seal". */
__attribute__((weak)) const char *cudacpu_hook_seal(void);
}
#endif
