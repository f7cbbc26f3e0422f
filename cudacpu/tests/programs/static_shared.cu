/* static_shared.cu - how much static shared memory kernels take; built with -s, too.
 * Covers: static shared memory of kernels, of functions that they call and of the whole file, and
 * the limit that dynamic shared memory must keep, in a program without symbols. */
#include <cstdio>
#include <cuda_runtime.h>

__shared__ int of_file[100];
__device__ int inner(int i) {
    __shared__ int b[1000];
    b[i] = i;
    __syncthreads();
    return b[i];
}
template <int N> __device__ __noinline__ int outer(int i) {
    __shared__ int c[N];
    c[i] = i;
    __syncthreads();
    return c[i] + inner(i);
}
__global__ void own(int *to) {
    __shared__ int a[10240];
    a[threadIdx.x] = 1;
    __syncthreads();
    *to = a[0];
}
__global__ void calls(int *to) {
    __shared__ int a[10];
    a[threadIdx.x % 10] = 1;
    __syncthreads();
    *to = a[0] + outer<50>((int)threadIdx.x);
}
__global__ void names(int *to) {
    of_file[threadIdx.x] = 1;
    __syncthreads();
    *to = of_file[0];
}
template <class T> static __global__ void typed(T *to) {
    __shared__ T a[20];
    a[threadIdx.x % 20] = 1;
    __syncthreads();
    *to = a[0];
}
__global__ void none(int *to) { *to = 1; }

template <class... P> static int size(void (*kernel)(P...)) {
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, kernel);
    return (int)attributes.sharedSizeBytes;
}

int main() {
    int *to;
    cudaMalloc(&to, sizeof *to);
    own<<<1, 32, 20480>>>(to);
    const bool refused = cudaGetLastError() == cudaErrorInvalidValue;
    own<<<1, 32, 8192>>>(to);
    const bool launched = cudaDeviceSynchronize() == cudaSuccess;
    cudaFree(to);
    printf("%d %d %d %d %d, %d %d\n", size(own), size(calls), size(names), size(typed<double>),
           size(none), refused, launched);
    return 0;
}
