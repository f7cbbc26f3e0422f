/* copies.h - a filling whose elements may have several bytes. */
#ifndef CUDACPU_RUNTIME_COPIES_H
#define CUDACPU_RUNTIME_COPIES_H
#include "cuda_runtime_api.h"

namespace cudacpu {

/* As cudaMemset2DAsync does, with the elements of params: of 1, 2 or 4 bytes. */
cudaError_t fill_elements(const cudaMemsetParams &params, cudaStream_t stream);

} // namespace cudacpu
#endif
