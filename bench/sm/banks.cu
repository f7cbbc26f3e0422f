/* banks.cu - bank conflicts: the lanes of a warp load words of shared memory that are so many words
 * apart. */
#include "cuda_check.h"
#include "tables.h"

enum { LOADS = 1 << 12, WORDS = 32 * 33 };

/* All 8 warps load, so that shared memory is never idle. */
static __global__ void stride_kernel(long long *cycles, unsigned *out, unsigned stride) {
    __shared__ unsigned words[WORDS];
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
        words[i] = 0;
    __syncthreads();
    unsigned at = threadIdx.x % 32 * stride, sum = 0;
    const volatile unsigned *word = &words[at];
    long long start = clock64();
#pragma unroll 16
    for (int i = 0; i < LOADS; i++)
        sum += *word;
    __syncthreads();
    if (threadIdx.x == 0)
        *cycles = clock64() - start;
    out[threadIdx.x] = sum;
}

void table_banks(void) {
    enum { THREADS = 256 };
    long long *device, cycles;
    unsigned *out;
    CUDA_CHECK(cudaMalloc(&device, sizeof *device));
    CUDA_CHECK(cudaMalloc(&out, sizeof *out * THREADS));
    printf("stride_words,cycles\n");
    const unsigned strides[] = {0, 1, 2, 3, 4, 8, 16, 32, 33};
    for (unsigned stride : strides) {
        for (int run = 0; run < 2; run++)
            stride_kernel<<<1, THREADS>>>(device, out, stride);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(&cycles, device, sizeof cycles, cudaMemcpyDeviceToHost));
        printf("%u,%.2f\n", stride, (double)cycles / LOADS / (THREADS / 32));
    }
    CUDA_CHECK(cudaFree(device));
    CUDA_CHECK(cudaFree(out));
}
