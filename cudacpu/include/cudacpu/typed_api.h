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
template <class T> cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync((void **)pointer, bytes, stream);
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

namespace cudacpu {
cudaError_t copy_symbol(char *symbol, size_t size, void *to, const void *from, size_t bytes,
                        size_t offset, bool to_symbol, cudaMemcpyKind kind, cudaStream_t stream = 0,
                        bool asynchronous = false);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudacpu::copy_symbol((char *)&symbol, sizeof symbol, nullptr, src, bytes, offset, true,
                                  kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudacpu::copy_symbol((char *)&symbol, sizeof symbol, dst, nullptr, bytes, offset,
                                  false, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = 0) {
    return ::cudacpu::copy_symbol((char *)&symbol, sizeof symbol, nullptr, src, bytes, offset, true,
                                  kind, stream, true);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream = 0) {
    return ::cudacpu::copy_symbol((char *)&symbol, sizeof symbol, dst, nullptr, bytes, offset,
                                  false, kind, stream, true);
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
