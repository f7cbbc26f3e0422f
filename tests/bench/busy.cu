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

void keep_busy(double seconds) {
    for (double start = wall_seconds(); wall_seconds() - start < seconds;) {
        busy_kernel<<<132 * 8, 256>>>(1);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaDeviceSynchronize());
    }
}
