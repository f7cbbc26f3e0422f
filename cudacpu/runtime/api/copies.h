/* copies.h - what copies and fillings of several slices need, and elements of several bytes. */
#ifndef CUDACPU_RUNTIME_COPIES_H
#define CUDACPU_RUNTIME_COPIES_H
#include "cuda_runtime_api.h"

namespace cudacpu {

/* As cudaMemset2DAsync does, with the elements of params: of 1, 2 or 4 bytes. */
cudaError_t fill_elements(const cudaMemsetParams &params, cudaStream_t stream);

/* Do the rows lie in memory? Asked of the last slice before the first one is copied or filled. */
bool can_copy(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
              size_t height, cudaMemcpyKind kind);
bool can_fill(void *pointer, size_t pitch, size_t width, size_t height);

} // namespace cudacpu
#endif
