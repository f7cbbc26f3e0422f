/* cp_async.cu - cp.async with its groups, zeros and mbarriers: the bytes that arrive.
 *
 *     cp_async
 *
 * Prints a line for each case; status 1 with a sentence when one is wrong. Needs sm_80. */
#include <cuda_pipeline.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 64, STAGES = 3, TILES = 7 };

static __device__ unsigned shared_address(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

/* Each size: 4, 8 and 16 bytes; .cg is for 16 alone. */
static __global__ void sizes(const char *in, char *out) {
    __shared__ __align__(16) char tile[THREADS * 28];
    const int i = threadIdx.x;
    char *small = tile + i * 4, *middle = tile + THREADS * 4 + i * 8,
         *large = tile + THREADS * 12 + i * 16;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n"
                 "cp.async.ca.shared.global [%2], [%3], 8;\n"
                 "cp.async.cg.shared.global [%4], [%5], 16;\n"
                 "cp.async.wait_all;" ::"r"(shared_address(small)),
                 "l"(in + (small - tile)), "r"(shared_address(middle)), "l"(in + (middle - tile)),
                 "r"(shared_address(large)), "l"(in + (large - tile))
                 : "memory");
    __syncthreads();
    for (int k = i; k < THREADS * 28; k += THREADS)
        out[k] = tile[k];
}

/* The rest of the 16 bytes are zeros; lane i takes i % 17 bytes. */
static __global__ void zeros(const char *in, char *out) {
    __shared__ __align__(16) char tile[THREADS * 16];
    const int i = threadIdx.x, bytes = i % 17;
    for (int k = 0; k < 16; k++)
        tile[i * 16 + k] = 99;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n"
                 "cp.async.commit_group;\n"
                 "cp.async.wait_group 0;" ::"r"(shared_address(tile + i * 16)),
                 "l"(in + i * 16), "r"(bytes)
                 : "memory");
    for (int k = 0; k < 16; k++)
        out[i * 16 + k] = tile[i * 16 + k];
}

/* STAGES - 1 tiles ahead, one group for each. */
static __global__ void pipelined(const float *in, float *out) {
    __shared__ float tile[STAGES][THREADS];
    const int i = threadIdx.x;
    float sum = 0;
    for (int t = 0; t < TILES + STAGES - 1; t++) {
        if (t < TILES)
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                             shared_address(&tile[t % STAGES][i])),
                         "l"(in + t * THREADS + i)
                         : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
        if (t < STAGES - 1)
            continue;
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 1) : "memory");
        __syncthreads();
        sum = 3 * sum + tile[(t + 1) % STAGES][THREADS - 1 - i];
        __syncthreads();
    }
    out[i] = sum;
}

/* The functions of <cuda_pipeline.h> share groups with the instructions. */
static __global__ void mixed(const float4 *in, float4 *out) {
    __shared__ float4 tile[2][THREADS];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][i], &in[i], sizeof(float4), 4);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&tile[1][i])),
                 "l"(in + THREADS + i)
                 : "memory");
    __pipeline_commit();
    __pipeline_wait_prior(1);
    out[i] = tile[0][i];
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    out[THREADS + i] = tile[1][i];
}

/* Copies that an mbarrier is told of; noinc: they are among the arrivals that it expects. */
template <bool NOINC> static __global__ void on_mbarrier(const float *in, float *out) {
    __shared__ float tile[THREADS];
    __shared__ uint64_t full;
    const int i = threadIdx.x;
    if (i == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(&full)), "r"(THREADS)
                     : "memory");
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(&tile[i])),
                 "l"(in + i)
                 : "memory");
    if (NOINC)
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&full))
                     : "memory");
    else
        asm volatile("{\n.reg .b64 state;\n"
                     "cp.async.mbarrier.arrive.shared.b64 [%0];\n"
                     "mbarrier.arrive.shared.b64 state, [%0];\n}" ::"r"(shared_address(&full))
                     : "memory");
    asm volatile("{\n.reg .pred p;\nwait:\n"
                 "mbarrier.test_wait.parity.shared.b64 p, [%0], 0;\n"
                 "@!p bra wait;\n}" ::"r"(shared_address(&full))
                 : "memory");
    out[i] = tile[THREADS - 1 - i];
}

static int wrong;
static void check(const char *name, const void *got, const void *wanted, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (((const char *)got)[i] != ((const char *)wanted)[i]) {
            printf("%s: byte %zu is %d, not %d\n", name, i, ((const char *)got)[i],
                   ((const char *)wanted)[i]);
            wrong = 1;
            return;
        }
    printf("%s: ok\n", name);
}

int main() {
    const size_t bytes = 4096;
    static char in[4096], got[4096], wanted[4096];
    float *values = (float *)in;
    for (size_t i = 0; i < bytes / 4; i++)
        values[i] = (float)(i % 101) + 0.5f;
    char *device_in, *device_out;
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice);
#define RUN(kernel, T, size)                                                                       \
    cudaMemset(device_out, 7, bytes);                                                              \
    kernel<<<1, THREADS>>>((const T *)device_in, (T *)device_out);                                 \
    if (cudaMemcpy(got, device_out, bytes, cudaMemcpyDeviceToHost) != cudaSuccess) {               \
        printf("%s: the launch failed\n", #kernel);                                                \
        return 1;                                                                                  \
    }                                                                                              \
    check(#kernel, got, wanted, size)

    for (size_t i = 0; i < bytes; i++)
        wanted[i] = in[i];
    RUN(sizes, char, THREADS * 28);
    for (int i = 0; i < THREADS; i++)
        for (int k = i % 17; k < 16; k++)
            wanted[i * 16 + k] = 0;
    RUN(zeros, char, THREADS * 16);
    for (int i = 0; i < THREADS; i++) {
        float sum = 0;
        for (int t = 0; t < TILES; t++)
            sum = 3 * sum + values[t * THREADS + THREADS - 1 - i];
        ((float *)wanted)[i] = sum;
    }
    RUN(pipelined, float, THREADS * 4);
    for (int i = 0; i < 8 * THREADS; i++)
        ((float *)wanted)[i] = i < 4 * THREADS && i % 4 == 3 ? 0 : values[i];
    RUN(mixed, float4, 2 * THREADS * 16);
    for (int i = 0; i < THREADS; i++)
        ((float *)wanted)[i] = values[THREADS - 1 - i];
    RUN(on_mbarrier<true>, float, THREADS * 4);
    RUN(on_mbarrier<false>, float, THREADS * 4);
    cudaFree(device_in);
    cudaFree(device_out);
    return wrong;
}
