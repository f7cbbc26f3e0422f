/* texture.h - tex1Dfetch, tex1D, tex2D, tex3D and surface functions; runtime/textures.cpp does the
 * work. Layered textures, cube maps, levels and gradients are absent. */
#ifndef CUDACPU_TEXTURE_H
#define CUDACPU_TEXTURE_H
#include "cuda_runtime_api.h"
#include "cudacpu/site.h"
#include <type_traits>

namespace cudacpu {

/* What a fetch gives: 4 channels, as float or as integers. */
struct texel {
    float number[4];
    long long integer[4];
};
/* dimensions 0: by an index, of linear memory. bytes: of a channel of the result. Ends the launch
 * where the texture's elements are of another type. */
texel fetch_texel(cudaTextureObject_t texture, int dimensions, float x, float y, float z, int index,
                  bool is_float, unsigned bytes, const site *where);
/* The element at byte x of row y of slice z; NULL: outside, where a read gives zero and a write
 * does nothing. */
void *find_in_surface(cudaSurfaceObject_t surface, int x, int y, int z, unsigned bytes,
                      cudaSurfaceBoundaryMode mode, const site *where);

template <class T, class = void> struct channels {
    typedef T type;
    enum { COUNT = 1 };
};
template <class T> struct channels<T, decltype((void)T().x)> {
    typedef decltype(T().x) type;
    enum { COUNT = sizeof(T) / sizeof(type) };
};

template <class T>
T fetch(cudaTextureObject_t texture, int dimensions, float x, float y, float z, int index,
        const char *file, int line) {
    typedef typename channels<T>::type channel;
    const bool is_float = std::is_floating_point<channel>::value;
    const site where = {file, line};
    const texel found =
        fetch_texel(texture, dimensions, x, y, z, index, is_float, sizeof(channel), &where);
    channel values[channels<T>::COUNT];
    for (int c = 0; c < channels<T>::COUNT; c++)
        values[c] = is_float ? (channel)found.number[c] : (channel)found.integer[c];
    T result;
    __builtin_memcpy(&result, values, sizeof result);
    return result;
}

template <class T>
T read_surface(cudaSurfaceObject_t surface, int x, int y, int z, cudaSurfaceBoundaryMode mode,
               const char *file, int line) {
    const site where = {file, line};
    const T *p = (const T *)find_in_surface(surface, x, y, z, sizeof(T), mode, &where);
    return p ? *p : T();
}
template <class T>
void write_surface(T value, cudaSurfaceObject_t surface, int x, int y, int z,
                   cudaSurfaceBoundaryMode mode, const char *file, int line) {
    const site where = {file, line};
    if (T *p = (T *)find_in_surface(surface, x, y, z, sizeof(T), mode, &where))
        *p = value;
}

} // namespace cudacpu

/* Each texture function also as one that writes its result through a pointer. */
#define CUDACPU_FETCH(name, dimensions, index, x, y, z, ...)                                       \
    template <class T> T name(cudaTextureObject_t t, __VA_ARGS__, CUDACPU_SITE) {                  \
        return ::cudacpu::fetch<T>(t, dimensions, x, y, z, index, file, line);                     \
    }                                                                                              \
    template <class T> void name(T *result, cudaTextureObject_t t, __VA_ARGS__, CUDACPU_SITE) {    \
        *result = ::cudacpu::fetch<T>(t, dimensions, x, y, z, index, file, line);                  \
    }
CUDACPU_FETCH(tex1Dfetch, 0, i, 0, 0, 0, int i)
CUDACPU_FETCH(tex1D, 1, 0, x, 0, 0, float x)
CUDACPU_FETCH(tex2D, 2, 0, x, y, 0, float x, float y)
CUDACPU_FETCH(tex3D, 3, 0, x, y, z, float x, float y, float z)
#undef CUDACPU_FETCH

/* x in bytes. */
#define CUDACPU_SURFACE(suffix, y, z, ...)                                                         \
    template <class T>                                                                             \
    T surf##suffix##read(cudaSurfaceObject_t s, __VA_ARGS__,                                       \
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, CUDACPU_SITE) {      \
        return ::cudacpu::read_surface<T>(s, x, y, z, mode, file, line);                           \
    }                                                                                              \
    template <class T>                                                                             \
    void surf##suffix##read(T *result, cudaSurfaceObject_t s, __VA_ARGS__,                         \
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, CUDACPU_SITE) {   \
        *result = ::cudacpu::read_surface<T>(s, x, y, z, mode, file, line);                        \
    }                                                                                              \
    template <class T>                                                                             \
    void surf##suffix##write(T value, cudaSurfaceObject_t s, __VA_ARGS__,                          \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, CUDACPU_SITE) {  \
        ::cudacpu::write_surface(value, s, x, y, z, mode, file, line);                             \
    }
CUDACPU_SURFACE(1D, 0, 0, int x)
CUDACPU_SURFACE(2D, y, 0, int x, int y)
CUDACPU_SURFACE(3D, y, z, int x, int y, int z)
#undef CUDACPU_SURFACE

/* For T: bits and kind of its channels. */
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc() {
    typedef typename ::cudacpu::channels<T>::type channel;
    const int count = ::cudacpu::channels<T>::COUNT, bits = 8 * (int)sizeof(channel);
    static_assert(std::is_arithmetic<channel>::value && sizeof(channel) <= 4,
                  "cudaCreateChannelDesc: a texture's channels are integers or float");
    return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
            std::is_floating_point<channel>::value ? cudaChannelFormatKindFloat
            : std::is_signed<channel>::value       ? cudaChannelFormatKindSigned
                                                   : cudaChannelFormatKindUnsigned};
}
#endif
