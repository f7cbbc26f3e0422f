/* divergence.cu - what it costs when the lanes of a warp take different ways: every thread does the
 * same amount of work, on one of WAYS sides of ifs. */
#include "busy.h"
#include "cuda_check.h"
#include "tables.h"
#include "timing.h"

enum { RUNS = 9, LENGTH = 1 << 16, THREADS = 256, BLOCKS_PER_SM = 4 };

/* unit: how many neighbouring threads take the same side; 1 parts lanes, 32 whole warps. */
template <int WAYS> static __global__ void ways_kernel(float *out, unsigned unit) {
    unsigned side = threadIdx.x / unit % WAYS;
    float x = (float)threadIdx.x;
#pragma unroll
    for (unsigned s = 0; s < WAYS; s++)
        if (side == s)
#pragma unroll 16
            for (int k = 0; k < LENGTH; k++)
                x = fmaf(x, 0.9f + 0.001f * (float)s, 0.01f);
    out[blockIdx.x * THREADS + threadIdx.x] = x;
}

/* The first lanes of each warp work, the others have nothing to do. */
static __global__ void some_kernel(float *out, unsigned lanes) {
    float x = (float)threadIdx.x;
    if (threadIdx.x % 32 < lanes)
#pragma unroll 16
        for (int k = 0; k < LENGTH; k++)
            x = fmaf(x, 0.9f, 0.01f);
    out[blockIdx.x * THREADS + threadIdx.x] = x;
}

template <int WAYS> static double time_ways(float *out, unsigned blocks, unsigned unit) {
    double seconds[RUNS];
    for (int i = 0; i < RUNS; i++) {
        start_busy_kernels(0);
        kernel_timer timer = start_kernel_timer();
        ways_kernel<WAYS><<<blocks, THREADS>>>(out, unit);
        CUDA_CHECK(cudaGetLastError());
        seconds[i] = stop_kernel_timer(&timer);
    }
    return median(seconds, RUNS);
}

template <int WAYS> static void rows_of_ways(float *out, unsigned blocks) {
    printf("by lane,%d,32,%.4f\n", WAYS, 1e3 * time_ways<WAYS>(out, blocks, 1));
    printf("by warp,%d,32,%.4f\n", WAYS, 1e3 * time_ways<WAYS>(out, blocks, 32));
}

void table_divergence(void) {
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    const unsigned blocks = (unsigned)device.multiProcessorCount * BLOCKS_PER_SM;
    float *out;
    CUDA_CHECK(cudaMalloc(&out, sizeof *out * blocks * THREADS));
    printf("who,ways,lanes,ms\n");
    rows_of_ways<1>(out, blocks);
    rows_of_ways<2>(out, blocks);
    rows_of_ways<4>(out, blocks);
    rows_of_ways<8>(out, blocks);
    for (unsigned lanes = 1; lanes <= 32; lanes *= 2) {
        double seconds[RUNS];
        for (int i = 0; i < RUNS; i++) {
            start_busy_kernels(0);
            kernel_timer timer = start_kernel_timer();
            some_kernel<<<blocks, THREADS>>>(out, lanes);
            CUDA_CHECK(cudaGetLastError());
            seconds[i] = stop_kernel_timer(&timer);
        }
        printf("some lanes,1,%u,%.4f\n", lanes, 1e3 * median(seconds, RUNS));
    }
    CUDA_CHECK(cudaFree(out));
}
