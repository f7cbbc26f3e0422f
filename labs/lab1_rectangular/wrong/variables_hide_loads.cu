/* expect 75: words are loaded from variables of the program \(__device__, __constant__\) */
/* The matrices are copied into __device__ arrays, with as many loads as tiles take; the product then reads
 * each element as often as without tiles. */
#include "cuda_check.h"
static __device__ ELEMENT all_a[1 << 20], all_b[1 << 20];
static __global__ void stage(const ELEMENT *a, const ELEMENT *b, int na, int nb, int times_a, int times_b) {
    __shared__ ELEMENT kept[1];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int t = 0; t < times_a && i < na; t++)
        all_a[i] = a[i];
    for (int t = 0; t < times_b && i < nb; t++)
        all_b[i] = b[i];
    if (threadIdx.x == 0) {
        kept[0] = 1;
        all_a[na] = kept[0];
    }
}
static __global__ void product(ELEMENT *c, int m, int n, int k) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n)
        return;
    ELEMENT sum = 0;
    for (int i = 0; i < k; i++)
        sum += all_a[row * k + i] * all_b[i * n + column];
    c[row * n + column] = sum;
}
extern "C" void multiply(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n, int k) {
    ELEMENT *x, *y, *z;
    size_t na = (size_t)m * k, nb = (size_t)k * n, nc = (size_t)m * n, size = sizeof(ELEMENT);
    CUDA_CHECK(cudaMalloc(&x, na * size));
    CUDA_CHECK(cudaMalloc(&y, nb * size));
    CUDA_CHECK(cudaMalloc(&z, nc * size));
    CUDA_CHECK(cudaMemcpy(x, a, na * size, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(y, b, nb * size, cudaMemcpyHostToDevice));
    int most = na > nb ? na : nb;
    stage<<<(most + 255) / 256, 256>>>(x, y, na, nb, (n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    CUDA_CHECK(cudaGetLastError());
    product<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(z, m, n, k);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(c, z, nc * size, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
}
