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
/* The calls about a kernel, by its name; of occupancy: query_api.h says what an SM is here. */
#define CUDACPU_OF_KERNEL(name, parameters, arguments)                                             \
    template <class R, class... P> cudaError_t name parameters { return ::name arguments; }
#define CUDACPU_KERNEL R (*function)(P...)
#define CUDACPU_ADDRESS (const void *)function
CUDACPU_OF_KERNEL(cudaFuncGetAttributes, (cudaFuncAttributes * attributes, CUDACPU_KERNEL),
                  (attributes, CUDACPU_ADDRESS))
CUDACPU_OF_KERNEL(cudaFuncSetCacheConfig, (CUDACPU_KERNEL, cudaFuncCache config),
                  (CUDACPU_ADDRESS, config))
CUDACPU_OF_KERNEL(cudaFuncSetSharedMemConfig, (CUDACPU_KERNEL, cudaSharedMemConfig config),
                  (CUDACPU_ADDRESS, config))
CUDACPU_OF_KERNEL(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
                  (int *blocks, CUDACPU_KERNEL, int block_size, size_t bytes),
                  (blocks, CUDACPU_ADDRESS, block_size, bytes))
CUDACPU_OF_KERNEL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
                  (int *blocks, CUDACPU_KERNEL, int block_size, size_t bytes, unsigned flags),
                  (blocks, CUDACPU_ADDRESS, block_size, bytes, flags))
CUDACPU_OF_KERNEL(cudaOccupancyAvailableDynamicSMemPerBlock,
                  (size_t * bytes, CUDACPU_KERNEL, int blocks, int block_size),
                  (bytes, CUDACPU_ADDRESS, blocks, block_size))
#undef CUDACPU_OF_KERNEL
#undef CUDACPU_KERNEL
#undef CUDACPU_ADDRESS
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
inline int device_at(int device) { return device; }
inline int device_at(cudaMemLocation place) {
    return place.type == cudaMemLocationTypeDevice ? place.id : cudaCpuDeviceId;
}
} // namespace cudacpu
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                               cudaStream_t stream = 0) {
    return ::cudacpu::check_managed(pointer, bytes, device, stream);
}
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes,
                                               cudaMemLocation place, unsigned,
                                               cudaStream_t stream = 0) {
    return ::cudacpu::check_managed(pointer, bytes, ::cudacpu::device_at(place), stream);
}
template <class P>
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise, P place) {
    return ::cudacpu::check_managed(pointer, bytes, ::cudacpu::device_at(place), 0);
}
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, const void *pointer,
                                                   size_t bytes = 0,
                                                   unsigned = cudaMemAttachSingle) {
    return ::cudacpu::check_managed(pointer, bytes, cudaCpuDeviceId, stream);
}
#endif
