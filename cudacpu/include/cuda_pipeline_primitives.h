/* cuda_pipeline_primitives.h - asynchronous copies from global to shared memory. When they are done
 * CUDACPU_ASYNC says: when they start, or when they are waited for. */
#ifndef CUDACPU_PIPELINE_PRIMITIVES_H
#define CUDACPU_PIPELINE_PRIMITIVES_H
#include "cuda_runtime.h"
#include "cudacpu/async_copy.h"

/* Copies size bytes (4, 8 or 16, and both addresses a multiple of it), the last zfill of them zeros
 * instead. Other sizes and addresses end the launch with an error, as a device's misaligned access
 * does. */
static __forceinline__ void __pipeline_memcpy_async(void *__restrict__ shared,
                                                    const void *__restrict__ global, size_t size,
                                                    size_t zfill = 0, CUDACPU_SITE) {
#ifndef CUDACPU_INSPECT
    if (__builtin_expect(::cudacpu::copies_are_plain, 1) &&
        (size == 4 || size == 8 || size == 16) && zfill <= size &&
        ((uintptr_t)shared | (uintptr_t)global) % size == 0) {
        std::memcpy(shared, global, size - zfill);
        std::memset((char *)shared + (size - zfill), 0, zfill);
        return;
    }
#endif
    ::cudacpu::copy_async(shared, global, size, size - zfill, CUDACPU_HERE);
}
static __forceinline__ void __pipeline_commit() {
#ifndef CUDACPU_INSPECT
    if (!::cudacpu::copies_are_plain)
#endif
        ::cudacpu::commit_copies();
}
static __forceinline__ void __pipeline_wait_prior(size_t newest, CUDACPU_SITE) {
#ifndef CUDACPU_INSPECT
    if (::cudacpu::copies_are_plain)
        return;
#endif
    ::cudacpu::wait_copies(newest, CUDACPU_HERE);
}

#if __has_include("cuda_awbarrier_primitives.h") /* where more/include is given */
#include "cuda_awbarrier_primitives.h"
#endif
#endif
