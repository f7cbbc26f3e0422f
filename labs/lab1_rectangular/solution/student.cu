/* student.cu - lab 1: C (m x n) = A (m x k) B (k x n) with tiles in shared memory, for any shape */
#include "cuda_check.h"

#ifndef TILE
#define TILE 32
#endif
#ifndef ELEMENT
#define ELEMENT int
#endif

static __global__ void multiplyKernel(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n,
                                      int k) {
    /* TODO 1 */
    __shared__ ELEMENT tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    ELEMENT sum = 0;
    for (int start = 0; start < k; start += TILE) {
        tile_a[y][x] = row < m && start + x < k ? a[(size_t)row * k + start + x] : 0;
        tile_b[y][x] = start + y < k && column < n ? b[(size_t)(start + y) * n + column] : 0;
        __syncthreads(); /* the tiles are complete */
        for (int i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads(); /* nobody needs them any more */
    }
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
    /* end of TODO 1 */
}

/* The matrices are in host memory, row after row without gaps. */
extern "C" void multiply(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n, int k) {
    size_t bytes_a = (size_t)m * k * sizeof(ELEMENT), bytes_b = (size_t)k * n * sizeof(ELEMENT);
    size_t bytes_c = (size_t)m * n * sizeof(ELEMENT);
    ELEMENT *device_a, *device_b, *device_c;
    CUDA_CHECK(cudaMalloc(&device_a, bytes_a));
    CUDA_CHECK(cudaMalloc(&device_b, bytes_b));
    CUDA_CHECK(cudaMalloc(&device_c, bytes_c));
    CUDA_CHECK(cudaMemcpy(device_a, a, bytes_a, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_b, b, bytes_b, cudaMemcpyHostToDevice));

    /* TODO 2 */
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    multiplyKernel<<<grid, block>>>(device_a, device_b, device_c, m, n, k);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(c, device_c, bytes_c, cudaMemcpyDeviceToHost));
    /* end of TODO 2 */

    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
}
