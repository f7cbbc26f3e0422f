/* reduction.cu - a sum: of a warp by shuffles, of a block in shared memory, of all by an addition.
 * Covers: a sum by shuffles, shared memory and `atomicAdd`. */
#include <cstdio>
#include <cstdlib>

const int N = 5000, BLOCK = 256;

__device__ int sum_of_warp(int x) {
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(0xffffffff, x, d);
    return x; /* in lane 0 */
}

__global__ void add(const int *values, int n, int *total) {
    __shared__ int sums[BLOCK / 32];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const int sum = sum_of_warp(i < n ? values[i] : 0);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        const int all = sum_of_warp(threadIdx.x < BLOCK / 32 ? sums[threadIdx.x] : 0);
        if (threadIdx.x == 0)
            atomicAdd(total, all);
    }
}

int main() {
    static int values[N];
    int *device_values, *total, found = 0, expected = 0;
    for (int i = 0; i < N; i++)
        expected += values[i] = i % 11 - 3;
    cudaMalloc(&device_values, sizeof values);
    cudaMalloc(&total, sizeof *total);
    cudaMemcpy(device_values, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(total, 0, sizeof *total);
    add<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(device_values, N, total);
    if (cudaMemcpy(&found, total, sizeof found, cudaMemcpyDeviceToHost) != cudaSuccess)
        return EXIT_FAILURE;
    printf("reduction: %d, expected %d\n", found, expected);
    cudaFree(device_values);
    cudaFree(total);
    return found != expected;
}
