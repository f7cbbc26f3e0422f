/* coordinates.h - where a CUDA thread is: threadIdx and its kin, in thread-local storage. */
#ifndef CUDACPU_COORDINATES_H
#define CUDACPU_COORDINATES_H
#include "cuda_runtime_api.h"

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

/* Variables, which a program may hide behind its own (dim3 blockDim(16, 16) in host code), that lie
 * in that storage (runtime/scheduler/worker.cpp). They stay the same for as long as a thread runs:
 * const. */
#define CUDACPU_COORDINATE(type, name)                                                             \
    extern CUDACPU_THREAD const type name __asm__("cudacpu_" #name)
CUDACPU_COORDINATE(uint3, threadIdx);
CUDACPU_COORDINATE(uint3, blockIdx);
CUDACPU_COORDINATE(dim3, blockDim);
CUDACPU_COORDINATE(dim3, gridDim);
#undef CUDACPU_COORDINATE
static const int warpSize = 32;
#endif
