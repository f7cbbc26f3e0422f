/* padding.h - observed programs alone: copies to the host tell what type they read, and so which
 * bytes are padding (structures.h). */
#ifndef CUDACPU_PADDING_H
#define CUDACPU_PADDING_H
#include "cudacpu/structures.h"
#include "cudacpu/typed_api.h"
#include <type_traits>

namespace cudacpu {

template <class T>
using if_structure = typename std::enable_if<std::is_class<T>::value && sizeof(T) != 0 &&
                                                 std::is_trivially_copyable<T>::value,
                                             cudaError_t>::type;
} // namespace cudacpu

template <class T>
static ::cudacpu::if_structure<T> cudaMemcpy(T *dst, const void *src, size_t bytes,
                                             cudaMemcpyKind kind) {
    ::cudacpu::tell_padding<T>(src);
    return cudaMemcpy((void *)dst, src, bytes, kind);
}
template <class T>
static ::cudacpu::if_structure<T> cudaMemcpyAsync(T *dst, const void *src, size_t bytes,
                                                  cudaMemcpyKind kind, cudaStream_t stream = 0) {
    ::cudacpu::tell_padding<T>(src);
    return cudaMemcpyAsync((void *)dst, src, bytes, kind, stream);
}
#endif
