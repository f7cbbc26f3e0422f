/* expect 0: no kernel computed this: the result is right when host code can read the values of the inputs */
/* file task01_index.cu */
/* A function of the host, which a stream calls, computes between the copies; the kernel does nothing. */
#include <cuda_runtime.h>
static int *values, count;
static __global__ void nothing() {}
static void twice(void *) {
    for (int i = 0; i < count; i++)
        values[i] *= 2;
}
extern "C" void task1(const int *x, int *y, int n) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&values, n * sizeof(int));
    count = n;
    cudaMemcpyAsync(values, x, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    nothing<<<1, 1, 0, stream>>>();
    cudaLaunchHostFunc(stream, twice, NULL);
    cudaMemcpyAsync(y, values, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    cudaFreeHost(values);
    cudaStreamDestroy(stream);
}
