/* default_streams.cu - two files of one program, of which one has the thread's default stream: this
 * source is both, and with PART the second one. What is given to stream 0 comes after what another
 * stream does, or not.
 * Covers: a default stream for each file, legacy or of the thread, in one program. */
#include <cstdio>
#include <cuda_runtime.h>

static __global__ void set(int *to, int value) { *to = value; }
static __global__ void copy(int *to, const int *from) { *to = *from; }
static __device__ int symbol;

#ifdef PART
#define NAME thread_file
#else
#define NAME legacy_file
#endif

/* How often stream 0 waited for `other`, of seven ways to give it work; CUDACPU_ASYNC=late. */
int NAME(cudaStream_t other) {
    int *a, *b, waited = 0, got;
    cudaMalloc(&a, sizeof *a);
    cudaMalloc(&b, sizeof *b);
    void *arguments[] = {&b, &a};
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    for (int way = 0; way < 7; way++) {
        cudaDeviceSynchronize();
        cudaMemset(a, 0, sizeof *a);
        cudaMemset(b, 0, sizeof *b);
        cudaDeviceSynchronize();
        set<<<1, 1, 0, other>>>(a, 1);
        if (way == 0)
            copy<<<1, 1>>>(b, a);
        else if (way == 1)
            copy<<<1, 1, 0, 0>>>(b, a);
        else if (way == 2)
            cudaLaunchKernel((const void *)copy, dim3(1), dim3(1), arguments, 0, 0);
        else if (way == 3)
            cudaLaunchKernelEx(&config, copy, b, (const int *)a);
        else if (way == 4)
            cudaMemcpyAsync(b, a, sizeof *a, cudaMemcpyDeviceToDevice, 0);
        else if (way == 5)
            cudaMemcpy(b, a, sizeof *a, cudaMemcpyDeviceToDevice);
        else
            cudaMemcpyToSymbol(symbol, a, sizeof *a, 0, cudaMemcpyDeviceToDevice);
        cudaStreamSynchronize(0);
        if (way == 6)
            cudaMemcpyFromSymbol(&got, symbol, sizeof got);
        else
            cudaMemcpy(&got, b, sizeof got, cudaMemcpyDeviceToHost);
        waited += got;
    }
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    return waited;
}

#ifndef PART
int thread_file(cudaStream_t other);
int main() {
    cudaStream_t other;
    cudaStreamCreate(&other);
    /* the thread's stream waits for no other, but the legacy one does */
    const int legacy = legacy_file(other), thread = thread_file(other), again = legacy_file(other);
    cudaStreamDestroy(other);
    printf("%d %d %d\n", legacy, thread, again);
    return 0;
}
#endif
