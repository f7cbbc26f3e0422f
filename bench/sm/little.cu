/* little.cu - Little's law: how much must be under way to keep the units, or the memory, busy. */
#include "busy.h"
#include "cuda_check.h"
#include "tables.h"
#include "timing.h"
#include <math.h>

enum { RUNS = 5, LENGTH = 1 << 17 };

/* CHAINS sums in a thread; each FMA waits for the one before it in its chain alone. */
template <int CHAINS> static __global__ void fma_kernel(float *out) {
    float x[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        x[i] = (float)(threadIdx.x + i);
#pragma unroll 8
    for (int k = 0; k < LENGTH; k++)
#pragma unroll
        for (int i = 0; i < CHAINS; i++)
            x[i] = fmaf(x[i], 0.99f, 0.01f);
    float sum = 0;
    for (int i = 0; i < CHAINS; i++)
        sum += x[i];
    out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int CHAINS> static void rows_of_chains(float *out, unsigned sms) {
    for (unsigned warps = 1; warps <= 8; warps++) { /* for a scheduler: 4 of these on an SM */
        double best = 0;
        for (int i = 0; i < RUNS; i++) {
            kernel_timer timer = start_kernel_timer();
            fma_kernel<CHAINS><<<sms, 128 * warps>>>(out);
            CUDA_CHECK(cudaGetLastError());
            double operations = 2.0 * CHAINS * LENGTH * 128 * warps * sms;
            best = fmax(best, 1e-12 * operations / stop_kernel_timer(&timer));
        }
        printf("%u,%d,%.2f\n", warps, CHAINS, best);
    }
}

void table_little_fma(void) {
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    const unsigned sms = (unsigned)device.multiProcessorCount;
    float *out;
    CUDA_CHECK(cudaMalloc(&out, sizeof *out * sms * 1024));
    keep_busy(0.5);
    printf("warps_per_scheduler,chains,tflops\n");
    rows_of_chains<1>(out, sms);
    rows_of_chains<2>(out, sms);
    rows_of_chains<4>(out, sms);
    rows_of_chains<8>(out, sms);
    CUDA_CHECK(cudaFree(out));
}

/* A thread asks for LOADS float4 before it uses one. */
template <int LOADS>
static __global__ void read_kernel(float *out, const float4 *in, size_t count) {
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    float sum = 0;
    for (size_t i = thread; i + (LOADS - 1) * step < count; i += LOADS * step) {
        float4 x[LOADS];
#pragma unroll
        for (int j = 0; j < LOADS; j++)
            x[j] = __ldcs(&in[i + j * step]);
#pragma unroll
        for (int j = 0; j < LOADS; j++)
            sum += x[j].x + x[j].y + x[j].z + x[j].w;
    }
    out[thread] = sum;
}

template <int LOADS>
static void rows_of_loads(float *out, const float4 *in, size_t count, unsigned sms) {
    for (unsigned warps = 1; warps <= 64; warps *= 2) { /* on an SM */
        const unsigned blocks = warps > 32 ? 2 * sms : sms,
                       threads = 32 * (warps > 32 ? 32 : warps);
        double best = 0;
        for (int i = 0; i < RUNS; i++) {
            kernel_timer timer = start_kernel_timer();
            read_kernel<LOADS><<<blocks, threads>>>(out, in, count);
            CUDA_CHECK(cudaGetLastError());
            best = fmax(best, 16e-9 * (double)count / stop_kernel_timer(&timer));
        }
        printf("%u,%d,%u,%.0f\n", warps, LOADS, warps * 32 * 16 * LOADS, best);
    }
}

void table_little_memory(void) {
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    const unsigned sms = (unsigned)device.multiProcessorCount;
    const size_t bytes = (size_t)2 << 30;
    float *out;
    float4 *in;
    CUDA_CHECK(cudaMalloc(&out, sizeof *out * 2 * sms * 1024));
    CUDA_CHECK(cudaMalloc(&in, bytes));
    CUDA_CHECK(cudaMemset(in, 0, bytes));
    keep_busy(0.2);
    printf("warps_per_sm,loads,bytes_in_flight,gbps\n");
    rows_of_loads<1>(out, in, bytes / sizeof *in, sms);
    rows_of_loads<4>(out, in, bytes / sizeof *in, sms);
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
}
