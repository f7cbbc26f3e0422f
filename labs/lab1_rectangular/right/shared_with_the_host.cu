/* expect 100: tiles are used */
/* Pinned memory that kernels use as it is, a counter in a variable of the device, a managed flag.
 */
#include "cuda_check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static __device__ int blocks;
static __managed__ int is_done;
static __global__ void kernel(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n, int k) {
    __shared__ ELEMENT tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y,
        column = blockIdx.x * TILE + x;
    ELEMENT sum = 0;
    for (int start = 0; start < k; start += TILE) {
        tile_a[y][x] = row < m && start + x < k ? a[row * k + start + x] : 0;
        tile_b[y][x] = start + y < k && column < n ? b[(start + y) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
    if (x == 0 && y == 0)
        atomicAdd(&blocks, 1);
    if (row == 0 && column == 0)
        is_done = 1;
}
static ELEMENT *shared(size_t elements) {
    ELEMENT *p;
    CUDA_CHECK(cudaHostAlloc(&p, elements * sizeof(ELEMENT), cudaHostAllocMapped));
    return p;
}
extern "C" void multiply(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n, int k) {
    ELEMENT *x = shared(m * k), *y = shared(k * n), *z = shared(m * n);
    memcpy(x, a, sizeof(ELEMENT) * m * k);
    memcpy(y, b, sizeof(ELEMENT) * k * n);
    int count = 0;
    is_done = 0;
    CUDA_CHECK(cudaMemcpyToSymbol(blocks, &count, sizeof count));
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    kernel<<<grid, dim3(TILE, TILE)>>>(x, y, z, m, n, k);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpyFromSymbol(&count, blocks, sizeof count));
    if (count != (int)(grid.x * grid.y) || is_done != 1) {
        fprintf(stderr, "%d of %u blocks, %d\n", count, grid.x * grid.y, is_done);
        exit(1);
    }
    memcpy(c, z, sizeof(ELEMENT) * m * n);
    CUDA_CHECK(cudaFreeHost(x));
    CUDA_CHECK(cudaFreeHost(y));
    CUDA_CHECK(cudaFreeHost(z));
}
