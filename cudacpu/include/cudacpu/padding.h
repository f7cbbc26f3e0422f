/* padding.h - observed programs alone: which bytes of a structure are padding, by the types of
 * pointers that the host passes. Nobody writes those, and that is no fault. */
#ifndef CUDACPU_PADDING_H
#define CUDACPU_PADDING_H
#include "cudacpu/typed_api.h"
#include <cstring>
#include <type_traits>

namespace cudacpu {

/* Memory at this address holds structures of so many bytes; of the mask, those of padding are 0,
 * and it stays. */
void know_padding(const void *memory, const unsigned char *mask, size_t bytes);

#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#define CUDACPU_KNOWS_PADDING
#endif
#endif

template <class T> void tell_padding(const void *memory) {
#ifdef CUDACPU_KNOWS_PADDING
    static unsigned char mask[sizeof(T)];
    memset(mask, 0xff, sizeof mask);
    __builtin_clear_padding(reinterpret_cast<T *>(mask));
    if (memchr(mask, 0, sizeof mask))
        know_padding(memory, mask, sizeof mask);
#else
    (void)memory;
#endif
}

template <class T>
using if_structure = typename std::enable_if<std::is_class<T>::value && sizeof(T) != 0 &&
                                                 std::is_trivially_copyable<T>::value,
                                             cudaError_t>::type;
} // namespace cudacpu

template <class T>
::cudacpu::if_structure<T> cudaMemcpy(T *dst, const void *src, size_t bytes, cudaMemcpyKind kind) {
    ::cudacpu::tell_padding<T>(src);
    return cudaMemcpy((void *)dst, src, bytes, kind);
}
template <class T>
::cudacpu::if_structure<T> cudaMemcpyAsync(T *dst, const void *src, size_t bytes,
                                           cudaMemcpyKind kind, cudaStream_t stream = 0) {
    ::cudacpu::tell_padding<T>(src);
    return cudaMemcpyAsync((void *)dst, src, bytes, kind, stream);
}
#endif
