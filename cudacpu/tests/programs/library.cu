/* library.cu - a shared library with a kernel, for a program that may have kernels of its own.
 *
 * Covers: a shared library with a kernel. */
#include <cstdio>

/* Each sum is of three neighbours of a block, round and round. */
__global__ void add_neighbours(const int *x, int *sums) {
    __shared__ int row[32];
    const int i = threadIdx.x, n = blockDim.x;
    row[i] = x[blockIdx.x * n + i];
    __syncthreads();
    sums[blockIdx.x * n + i] = row[(i + n - 1) % n] + row[i] + row[(i + 1) % n];
}

/* sums has blocks * threads elements of the host, as x has; threads are at most 32. */
extern "C" int add_on_device(const int *x, int *sums, int blocks, int threads) {
    const size_t bytes = sizeof(int) * (size_t)(blocks * threads);
    int *device;
    if (cudaMalloc(&device, 2 * bytes) != cudaSuccess)
        return 1;
    cudaMemcpy(device, x, bytes, cudaMemcpyHostToDevice);
    add_neighbours<<<blocks, threads>>>(device, device + blocks * threads);
    cudaMemcpy(sums, device + blocks * threads, bytes, cudaMemcpyDeviceToHost);
    cudaFree(device);
    return cudaGetLastError() != cudaSuccess;
}

extern "C" void use_the_hosts(int *x) {
    add_neighbours<<<1, 1>>>(x, nullptr);
    cudaDeviceSynchronize();
}
