/* expect 100: tiles are used */
/* Memory that host code and kernels share. */
#include "cuda_check.h"
#include <string.h>
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
}
extern "C" void multiply(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n, int k) {
    ELEMENT *x, *y, *z;
    CUDA_CHECK(cudaMallocManaged(&x, sizeof(ELEMENT) * m * k));
    CUDA_CHECK(cudaMallocManaged(&y, sizeof(ELEMENT) * k * n));
    CUDA_CHECK(cudaMallocManaged(&z, sizeof(ELEMENT) * m * n));
    memcpy(x, a, sizeof(ELEMENT) * m * k);
    memcpy(y, b, sizeof(ELEMENT) * k * n);
    kernel<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), dim3(TILE, TILE)>>>(x, y, z, m, n,
                                                                                     k);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    memcpy(c, z, sizeof(ELEMENT) * m * n);
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
}
