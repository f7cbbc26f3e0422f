/* busy.cu - chains of float additions, for a while. */
#include "busy.h"
#include "cuda_check.h"
#include "timing.h"

__device__ float busy_sum; /* so that the chains are computed */

static __global__ void busy_kernel(float x) {
    for (int i = 0; i < 1 << 14; i++)
        x = fmaf(x, 0.99f, 0.01f);
    if (x < 0)
        busy_sum = x;
}

void start_busy_kernels(cudaStream_t stream) {
    for (int i = 0; i < 8; i++) {
        busy_kernel<<<132 * 8, 256, 0, stream>>>(1);
        CUDA_CHECK(cudaGetLastError());
    }
}

void keep_busy(double seconds) {
    for (double start = wall_seconds(); wall_seconds() - start < seconds;) {
        start_busy_kernels(0);
        CUDA_CHECK(cudaDeviceSynchronize());
    }
}
