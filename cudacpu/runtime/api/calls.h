/* calls.h - what the calls of the API share: limits of devices and kernels, copies of several
 * slices, memory of pools, and who waits in a thread's stream. */
#ifndef CUDACPU_RUNTIME_CALLS_H
#define CUDACPU_RUNTIME_CALLS_H
#include "cuda_runtime_api.h"
#include "runtime/host/devices.h"
#include <cstddef>
#include <cstdint>

/* C's name of a pool of memory (more/memory_pools.cpp). It is never destroyed: memory that was
 * taken from it asks for the access. */
struct CUmemPoolHandle_st {
    int device;
    uint64_t attributes[5] = {0, 1, 1, 1, 0};
    bool access[cudacpu::MAX_DEVICES] = {}; /* which devices may touch it */
};

namespace cudacpu {

/* Bytes of shared memory that a block may have, and with cudaFuncSetAttribute. */
size_t shared_default();
size_t shared_optin();

/* Bytes, on the current device; raised there by cudaFuncAttributeMaxDynamicSharedMemorySize.
 * function may be NULL: not known. */
size_t dynamic_limit(const void *function);
/* Threads of its largest block: those of __launch_bounds__, else the device's. */
unsigned thread_limit(const void *function);
void forget_function_limits(int device);

/* As cudaMemset2DAsync does, with elements of 1, 2 or 4 bytes; width in elements. */
cudaError_t fill_elements(void *dst, size_t pitch, unsigned value, size_t element, size_t width,
                          size_t height, cudaStream_t stream);

/* Do the rows lie in memory? Asked of the last slice before the first one is copied or filled. */
bool can_copy(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
              size_t height, cudaMemcpyKind kind);
bool can_fill(void *pointer, size_t pitch, size_t width, size_t height);

/* The device's own, and what cudaMallocAsync takes memory of the device from. */
CUmemPoolHandle_st *default_pool(int device);
CUmemPoolHandle_st *&current_pool(int device);
/* cudaMallocAsync from that pool; NULL: from the current one of the stream's device. */
cudaError_t allocate_in_stream(void **pointer, size_t bytes, cudaStream_t stream,
                               CUmemPoolHandle_st *pool, void *caller);

/* Who makes a call that waits, and takes no stream, while it is that of the thread; or NULL. */
extern thread_local void *waits_in_thread;

} // namespace cudacpu
#endif
