/* arrays.h - arrays, and what a texture or surface object stands for. */
#ifndef CUDACPU_RUNTIME_ARRAYS_H
#define CUDACPU_RUNTIME_ARRAYS_H
#include "cuda_runtime_api.h"
#include "cudacpu/texture.h"
#include <array>

struct cudaArray {
    char *data; /* device memory: rows of pitch bytes, height rows a slice */
    size_t pitch;
    cudaExtent extent; /* elements; height and depth are 0 where it has fewer dimensions; depth
                          counts layers and faces too */
    cudaChannelFormatDesc desc;
    unsigned flags;
};

namespace cudacpu {

size_t element_bytes(const cudaChannelFormatDesc &desc);

/* An object's memory, and how a texture is read. */
struct texture_view {
    const char *data;
    size_t pitch, slice;           /* bytes */
    std::array<long long, 3> size; /* elements, at least 1 */
    texture_kind kind;
    cudaChannelFormatDesc desc;
    cudaTextureDesc how;
};

} // namespace cudacpu
#endif
