/* structures.h - observed programs alone: which bytes of a structure are padding, by the types of
 * pointers that the host passes, to kernels and to copies. Nobody writes those, and that is no
 * fault. */
#ifndef CUDACPU_STRUCTURES_H
#define CUDACPU_STRUCTURES_H
#include "cudacpu/typed_api.h"
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace cudacpu {

/* Memory at this address holds structures of so many bytes; of the mask, those of padding are 0,
 * and it stays. The first: for the host's copies; the second: for a kernel's. */
void know_padding(const void *memory, const unsigned char *mask, size_t bytes);
void know_structure(const void *memory, const unsigned char *mask, size_t bytes);

#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#define CUDACPU_KNOWS_PADDING
#endif
#endif

/* Is it a structure whose definition is known here? */
template <class T, class = void> struct is_whole : std::false_type {};
template <class T>
struct is_whole<T, typename std::enable_if<(std::is_class<T>::value && sizeof(T) != 0)>::type>
    : std::is_trivially_copyable<T> {};

template <class T> const unsigned char *mask_of() {
    static unsigned char mask[sizeof(T)];
    memset(mask, 0xff, sizeof mask);
#ifdef CUDACPU_KNOWS_PADDING
    __builtin_clear_padding(reinterpret_cast<T *>(mask));
#endif
    return mask;
}

template <class T> void tell_padding(const void *memory) {
    if (memchr(mask_of<T>(), 0, sizeof(T)))
        know_padding(memory, mask_of<T>(), sizeof(T));
}
/* A kernel's parameter. */
template <class T> void tell_structure(T *memory) {
#ifdef CUDACPU_KNOWS_PADDING
    typedef typename std::remove_cv<T>::type type;
    if constexpr (is_whole<type>::value)
        know_structure(memory, mask_of<type>(), sizeof(type));
#endif
    (void)memory;
}

/* Copies to the host tell what type they read. */
template <class T>
using if_structure = typename std::enable_if<is_whole<T>::value, cudaError_t>::type;

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
