/* typed_queries.h - the templates of NVIDIA's header about pools of memory, kernels, occupancy and
 * managed memory. */
#ifndef CUDACPU_TYPED_QUERIES_H
#define CUDACPU_TYPED_QUERIES_H
#include "cuda_runtime_api.h"

template <class T>
static cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
    return cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
}
template <class T>
static cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool,
                                   cudaStream_t stream) {
    return cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
}
template <class T> cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags) {
    return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <class R, class... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, R (*function)(P...)) {
    return cudaFuncGetAttributes(attributes, (const void *)function);
}
template <class R, class... P>
cudaError_t cudaFuncSetCacheConfig(R (*function)(P...), cudaFuncCache config) {
    return cudaFuncSetCacheConfig((const void *)function, config);
}

template <class R, class... P>
cudaError_t cudaFuncSetSharedMemConfig(R (*function)(P...), cudaSharedMemConfig config) {
    return cudaFuncSetSharedMemConfig((const void *)function, config);
}
/* Occupancy: query_api.h says what an SM is here. */
template <class R, class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, R (*function)(P...),
                                                          int block_size, size_t dynamic_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, block_size,
                                                         dynamic_bytes);
}
template <class R, class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, R (*function)(P...),
                                                                   int block_size,
                                                                   size_t dynamic_bytes,
                                                                   unsigned flags) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function,
                                                                  block_size, dynamic_bytes, flags);
}
template <class R, class... P>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, R (*function)(P...),
                                                      int blocks, int block_size) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)function, blocks,
                                                     block_size);
}
namespace cudacpu {
/* The largest block that can be launched, of whole warps and at most limit threads (0: any), and
 * the blocks that all SMs hold. bytes: the dynamic shared memory of a block of so many threads. */
cudaError_t largest_block(int *grid, int *block, const void *function, size_t (*bytes)(int, void *),
                          void *argument, int limit);
} // namespace cudacpu
template <class kernel_type, class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block,
                                                           kernel_type *function, F bytes_of_block,
                                                           int limit = 0) {
    return ::cudacpu::largest_block(
        grid, block, (const void *)function,
        [](int size, void *f) { return (size_t)(*static_cast<F *>(f))(size); }, &bytes_of_block,
        limit);
}
template <class kernel_type, class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block,
                                                                    kernel_type *function,
                                                                    F bytes_of_block, int limit = 0,
                                                                    unsigned = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, function, bytes_of_block,
                                                          limit);
}
template <class kernel_type>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, kernel_type *function,
                                               size_t bytes = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, function, [bytes](int) { return bytes; }, limit);
}
template <class kernel_type>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block,
                                                        kernel_type *function, size_t bytes = 0,
                                                        int limit = 0, unsigned = 0) {
    return cudaOccupancyMaxPotentialBlockSize(grid, block, function, bytes, limit);
}

/* Managed memory is where all can reach it: advice is checked, and changes nothing. Of CUDA 13, and
 * of the ones before it. */
namespace cudacpu {
cudaError_t check_managed(const void *pointer, size_t bytes, int device, cudaStream_t stream);
}
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                               cudaStream_t stream = 0) {
    return ::cudacpu::check_managed(pointer, bytes, device, stream);
}
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes,
                                               cudaMemLocation location, unsigned,
                                               cudaStream_t stream = 0) {
    return ::cudacpu::check_managed(
        pointer, bytes, location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId,
        stream);
}
static inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise,
                                        int device) {
    return ::cudacpu::check_managed(pointer, bytes, device, 0);
}
static inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise,
                                        cudaMemLocation location) {
    return ::cudacpu::check_managed(
        pointer, bytes, location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId,
        0);
}
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, const void *pointer,
                                                   size_t bytes = 0,
                                                   unsigned = cudaMemAttachSingle) {
    return ::cudacpu::check_managed(pointer, bytes, cudaCpuDeviceId, stream);
}
#endif
