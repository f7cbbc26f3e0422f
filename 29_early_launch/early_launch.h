/* early_launch.h - programmatic dependent launch: a kernel begins before the one before
 * it is over. Chapter: docs/29_early_launch.md */
#ifndef EARLY_LAUNCH_H
#define EARLY_LAUNCH_H
#include "cuda_check.h"

/* Launches a kernel that may begin when all blocks of the one before have called
 * cudaTriggerProgrammaticLaunchCompletion or have exited. It calls
 * cudaGridDependencySynchronize before it touches what earlier kernels read or write. */
template <class... parameters>
static void launch_early(void (*kernel)(parameters...), unsigned grid, unsigned block,
                         unsigned bytes, const parameters &...arguments) {
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {grid, block, bytes, 0, &early, 1};
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}
#endif
