/* typed_api.h - the runtime API's templates, as in NVIDIA's header: typed pointers, kernels,
 * symbols. */
#ifndef CUDACPU_TYPED_API_H
#define CUDACPU_TYPED_API_H
#include "cuda_runtime_api.h"

template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes) {
    return cudaMalloc((void **)pointer, bytes);
}
template <class T>
cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
    return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <class T> cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned = 0) {
    return cudaMallocHost((void **)pointer, bytes);
}
template <class T> cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned flags) {
    return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged((void **)pointer, bytes, flags);
}
template <class T>
static cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync((void **)pointer, bytes, stream);
}
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
cudaError_t cudaFuncSetAttribute(R (*function)(P...), cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute((const void *)function, attribute, value);
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
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
}

/* Occupancy: cuda_runtime_api.h says what an SM is here. */
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

namespace cudacpu {
cudaError_t copy_symbol(char *symbol, size_t size, void *to, const void *from, size_t bytes,
                        size_t offset, bool to_symbol, cudaMemcpyKind kind, cudaStream_t stream,
                        bool asynchronous);
}
template <class T>
static cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudacpu::copy_symbol((char *)&symbol, sizeof symbol, nullptr, src, bytes, offset, true,
                                  kind, CUDACPU_DEFAULT_STREAM, false);
}
template <class T>
static cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudacpu::copy_symbol((char *)&symbol, sizeof symbol, dst, nullptr, bytes, offset,
                                  false, kind, CUDACPU_DEFAULT_STREAM, false);
}
template <class T>
static cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t bytes, size_t offset = 0,
                        cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
    return ::cudacpu::copy_symbol((char *)&symbol, sizeof symbol, nullptr, src, bytes, offset, true,
                                  kind, stream ? stream : CUDACPU_DEFAULT_STREAM, true);
}
template <class T>
static cudaError_t
cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
    return ::cudacpu::copy_symbol((char *)&symbol, sizeof symbol, dst, nullptr, bytes, offset,
                                  false, kind, stream ? stream : CUDACPU_DEFAULT_STREAM, true);
}
template <class T> cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
    *pointer = (void *)&symbol;
    return cudaSuccess;
}
template <class T> cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
    *bytes = sizeof symbol;
    return cudaSuccess;
}
#endif
