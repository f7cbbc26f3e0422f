/* rates.cu - how many bytes all SMs read in a second: from shared memory, and from global memory by
 * the size of what they read. */
#include "busy.h"
#include "cuda_check.h"
#include "tables.h"
#include "timing.h"
#include <math.h>

enum { RUNS = 5, THREADS = 1024, SHARED_FLOAT4 = 2048, SHARED_ROUNDS = 256 };

static __device__ __forceinline__ float add4(float4 x) { return x.x + x.y + x.z + x.w; }

static __global__ void shared_kernel(float *out, unsigned rounds) {
    __shared__ float4 words[SHARED_FLOAT4];
    for (unsigned i = threadIdx.x; i < SHARED_FLOAT4; i += THREADS)
        words[i] = make_float4(1, 2, 3, (float)i);
    __syncthreads();
    float sum = 0;
    for (unsigned r = 0; r < rounds; r++)
#pragma unroll
        for (unsigned i = 0; i < SHARED_FLOAT4; i += THREADS / 32)
            sum += add4(words[(threadIdx.x + i + r) % SHARED_FLOAT4]);
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* Each block reads its own bytes in a loop: they stay in the SM's L1. */
static __global__ void l1_kernel(float *out, const float4 *in, unsigned count, unsigned rounds) {
    in += (size_t)blockIdx.x * count;
    float sum = 0;
    for (unsigned r = 0; r < rounds; r++)
#pragma unroll 8
        for (unsigned i = threadIdx.x; i < count; i += THREADS)
            sum += add4(__ldca(&in[i]));
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* All blocks together read all bytes in a loop, past L1: from L2 as long as they fit. */
static __global__ void l2_kernel(float *out, const float4 *in, size_t count, unsigned rounds) {
    size_t first = (size_t)blockIdx.x * THREADS + threadIdx.x, step = (size_t)gridDim.x * THREADS;
    float sum = 0;
    for (unsigned r = 0; r < rounds; r++)
#pragma unroll 8
        for (size_t i = first; i < count; i += step)
            sum += add4(__ldcg(&in[i]));
    out[first] = sum;
}

void table_rates(void) {
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    const unsigned sms = (unsigned)device.multiProcessorCount;
    const size_t most = (size_t)4 << 30;
    float *out;
    float4 *in;
    CUDA_CHECK(cudaMalloc(&out, sizeof *out * 2 * sms * THREADS));
    CUDA_CHECK(cudaMalloc(&in, most));
    CUDA_CHECK(cudaMemset(in, 0, most));
    keep_busy(0.5);
    printf("place,bytes,tbps\n");
    double best = 0;
    for (int i = 0; i < RUNS; i++) {
        kernel_timer timer = start_kernel_timer();
        shared_kernel<<<2 * sms, THREADS>>>(out, SHARED_ROUNDS);
        CUDA_CHECK(cudaGetLastError());
        double words = 64.0 * SHARED_ROUNDS * THREADS * 2 * sms;
        best = fmax(best, 16e-12 * words / stop_kernel_timer(&timer));
    }
    printf("shared,%zu,%.2f\n", SHARED_FLOAT4 * sizeof(float4), best);
    for (size_t bytes = (size_t)32 << 10; bytes <= (size_t)512 << 10; bytes *= 2) {
        const unsigned count = (unsigned)(bytes / sizeof *in), rounds = (8 << 20) / (unsigned)bytes;
        best = 0;
        for (int i = 0; i < RUNS; i++) {
            kernel_timer timer = start_kernel_timer();
            l1_kernel<<<sms, THREADS>>>(out, in, count, rounds);
            CUDA_CHECK(cudaGetLastError());
            best = fmax(best, 1e-12 * (double)bytes * rounds * sms / stop_kernel_timer(&timer));
        }
        printf("each SM,%zu,%.2f\n", bytes, best);
    }
    for (size_t bytes = (size_t)8 << 20; bytes <= most; bytes *= 2) {
        const unsigned rounds = (unsigned)fmax(1, (double)((size_t)4 << 30) / (double)bytes);
        best = 0;
        for (int i = 0; i < RUNS; i++) {
            kernel_timer timer = start_kernel_timer();
            l2_kernel<<<2 * sms, THREADS>>>(out, in, bytes / sizeof *in, rounds);
            CUDA_CHECK(cudaGetLastError());
            best = fmax(best, 1e-12 * (double)bytes * rounds / stop_kernel_timer(&timer));
        }
        printf("all SMs,%zu,%.2f\n", bytes, best);
    }
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
}
