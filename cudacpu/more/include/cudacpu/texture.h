/* texture.h - tex1Dfetch, tex1D, tex2D, tex3D, those of layers and cubes, and surface functions;
 * more/textures.cpp does the work. Levels and gradients are absent. */
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
/* What a function reads, and an object stands for. */
enum class texture_kind { linear, array, layers, cube, layered_cube };
struct texture_point {
    texture_kind kind;
    int dimensions;
    float x, y, z; /* of a cube: a direction */
    int index;     /* in linear memory; else the layer */
};
/* bytes: of a channel of the result. Ends the launch where the texture is of another kind, or its
 * elements are of another type. */
texel fetch_texel(cudaTextureObject_t texture, const texture_point &at, bool is_float,
                  unsigned bytes, const site *where);
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
T fetch(cudaTextureObject_t texture, const texture_point &at, const char *file, int line) {
    typedef typename channels<T>::type channel;
    const bool is_float = std::is_floating_point<channel>::value;
    const texel found = fetch_texel(texture, at, is_float, sizeof(channel), CUDACPU_HERE);
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
    const T *p = (const T *)find_in_surface(surface, x, y, z, sizeof(T), mode, CUDACPU_HERE);
    return p ? *p : T();
}
template <class T>
void write_surface(T value, cudaSurfaceObject_t surface, int x, int y, int z,
                   cudaSurfaceBoundaryMode mode, const char *file, int line) {
    if (T *p = (T *)find_in_surface(surface, x, y, z, sizeof(T), mode, CUDACPU_HERE))
        *p = value;
}

} // namespace cudacpu

/* Each texture function also as one that writes its result through a pointer. */
#define CUDACPU_FETCH(name, kind, dimensions, x, y, z, index, ...)                                 \
    template <class T> T name(cudaTextureObject_t t, __VA_ARGS__, CUDACPU_SITE) {                  \
        return ::cudacpu::fetch<T>(t, {::cudacpu::texture_kind::kind, dimensions, x, y, z, index}, \
                                   file, line);                                                    \
    }                                                                                              \
    template <class T> void name(T *result, cudaTextureObject_t t, __VA_ARGS__, CUDACPU_SITE) {    \
        *result = ::cudacpu::fetch<T>(                                                             \
            t, {::cudacpu::texture_kind::kind, dimensions, x, y, z, index}, file, line);           \
    }
CUDACPU_FETCH(tex1Dfetch, linear, 0, 0, 0, 0, i, int i)
CUDACPU_FETCH(tex1D, array, 1, x, 0, 0, 0, float x)
CUDACPU_FETCH(tex2D, array, 2, x, y, 0, 0, float x, float y)
CUDACPU_FETCH(tex3D, array, 3, x, y, z, 0, float x, float y, float z)
CUDACPU_FETCH(tex1DLayered, layers, 1, x, 0, 0, layer, float x, int layer)
CUDACPU_FETCH(tex2DLayered, layers, 2, x, y, 0, layer, float x, float y, int layer)
CUDACPU_FETCH(texCubemap, cube, 2, x, y, z, 0, float x, float y, float z)
CUDACPU_FETCH(texCubemapLayered, layered_cube, 2, x, y, z, layer, float x, float y, float z,
              int layer)
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
CUDACPU_SURFACE(1DLayered, 0, layer, int x, int layer)
CUDACPU_SURFACE(2DLayered, y, layer, int x, int y, int layer)
CUDACPU_SURFACE(Cubemap, y, face, int x, int y, int face)
CUDACPU_SURFACE(CubemapLayered, y, layer_face, int x, int y, int layer_face)
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
