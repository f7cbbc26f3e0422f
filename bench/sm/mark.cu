/* mark.cu - a kernel that does nothing, which a profiler shows between those of two steps. */
#include "cuda_check.h"
#include "products.h"

static __global__ void marker_kernel() {}

void mark(unsigned blocks) {
    marker_kernel<<<blocks, 32>>>();
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}
