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
template <class R, class... P>
cudaError_t cudaFuncSetAttribute(R (*function)(P...), cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute((const void *)function, attribute, value);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
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
