/* cuda_pipeline_primitives.h - asynchronous copies from global to shared memory. Here a copy is
 * done at once, which is one of the moments that CUDA allows; so a wait that is missing is not seen
 * on the CPU. */
#ifndef CUDACPU_PIPELINE_PRIMITIVES_H
#define CUDACPU_PIPELINE_PRIMITIVES_H
#include "cuda_runtime.h"

/* Copies size bytes (4, 8 or 16, and both addresses a multiple of it), the last zfill of them zeros
 * instead. Other sizes and addresses end the launch with an error, as a device's misaligned access
 * does. */
static __forceinline__ void __pipeline_memcpy_async(void *__restrict__ shared,
                                                    const void *__restrict__ global, size_t size,
                                                    size_t zfill = 0, CUDACPU_SITE) {
    if ((size != 4 && size != 8 && size != 16) || zfill > size ||
        ((uintptr_t)shared | (uintptr_t)global) % size != 0)
        ::cudacpu::trap(file, line);
    std::memcpy(shared, global, size - zfill);
    std::memset((char *)shared + (size - zfill), 0, zfill);
}
static inline void __pipeline_commit() {}
static inline void __pipeline_wait_prior(size_t) {}

#endif
