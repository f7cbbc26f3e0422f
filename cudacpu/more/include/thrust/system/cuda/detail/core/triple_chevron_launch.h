/* triple_chevron_launch.h - in place of Thrust's: how CUB launches its kernels. */
#ifndef CUDACPU_THRUST_TRIPLE_CHEVRON_H
#define CUDACPU_THRUST_TRIPLE_CHEVRON_H
#include "cuda_runtime.h"
#include <thrust/detail/config.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace launcher {
struct triple_chevron {
    dim3 grid, block;
    size_t bytes;
    cudaStream_t stream;
    triple_chevron(dim3 g, dim3 b, size_t shared = 0, cudaStream_t s = 0)
        : grid(g), block(b), bytes(shared), stream(s) {}
    template <class K, class... A> cudaError_t doit(K kernel, const A &...arguments) const {
        kernel<<<grid, block, bytes, stream>>>(arguments...);
        return cudaPeekAtLastError();
    }
};
} // namespace launcher
} // namespace cuda_cub
THRUST_NAMESPACE_END
#endif
