/* coordinates.h - where a CUDA thread is: threadIdx and its kin, in thread-local storage. */
#ifndef CUDACPU_COORDINATES_H
#define CUDACPU_COORDINATES_H
#include "cuda_runtime_api.h" /* before the macros: it has members of these names */

namespace cudacpu {

struct coordinates {
    uint3 thread;
    unsigned number; /* of the thread in its block */
    uint3 block;
    dim3 block_dim, grid_dim;
};

} // namespace cudacpu

/* Thread-local variables of the program itself lie at a known distance from the thread's base; a
 * library has to ask. */
#if defined(__PIC__) && !defined(__PIE__)
#define CUDACPU_THREAD __thread
#else
#define CUDACPU_THREAD __thread __attribute__((tls_model("local-exec")))
#endif
extern CUDACPU_THREAD char cudacpu_coordinates_storage[sizeof(cudacpu::coordinates)]
    __attribute__((aligned(16)));

namespace cudacpu {
static inline const coordinates &here() {
    return *reinterpret_cast<const coordinates *>(cudacpu_coordinates_storage);
}
} // namespace cudacpu

#define threadIdx (::cudacpu::here().thread)
#define blockIdx (::cudacpu::here().block)
#define blockDim (::cudacpu::here().block_dim)
#define gridDim (::cudacpu::here().grid_dim)
static const int warpSize = 32;
#endif
