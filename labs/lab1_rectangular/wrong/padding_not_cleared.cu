/* expect 35: C\[0\]\[0\] is \d+, expected 21253400\n */
/* gpu 35-75: uninitialised read */
/* full */
/* Every element is off by the same, and a float has the first of them, too: nobody is told of a float. */
#include "cuda_check.h"
#ifndef TILE
#define TILE 32
#endif
#ifndef ELEMENT
#define ELEMENT int
#endif

#define UP(x) (((x) + TILE - 1) / TILE * TILE)
__global__ void mm(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int w, int d) {
    __shared__ ELEMENT s[2][TILE][TILE];
    a += (size_t)blockIdx.y * TILE * d; b += blockIdx.x * TILE; c += (size_t)blockIdx.y * TILE * w + blockIdx.x * TILE;
    ELEMENT acc = 0;
    for (int left = d; left > 0; left -= TILE) {
        s[0][threadIdx.y][threadIdx.x] = a[threadIdx.y * d + threadIdx.x];
        s[1][threadIdx.y][threadIdx.x] = b[threadIdx.y * w + threadIdx.x];
        __syncthreads();
        for (int e = 0; e != TILE; ++e) acc += s[0][threadIdx.y][e] * s[1][e][threadIdx.x];
        __syncthreads();
        a += TILE; b += (size_t)TILE * w;
    }
    c[threadIdx.y * w + threadIdx.x] = acc;
}
extern "C" void multiply(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n, int k) {
    int M = UP(m), N = UP(n), K = UP(k);
    const size_t z = sizeof(ELEMENT);
    ELEMENT *x, *y, *r;
    CUDA_CHECK(cudaMalloc(&x, z * M * K)); CUDA_CHECK(cudaMalloc(&y, z * K * N)); CUDA_CHECK(cudaMalloc(&r, z * M * N));
    
    CUDA_CHECK(cudaMemcpy2D(x, z * K, a, z * k, z * k, m, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(y, z * N, b, z * n, z * n, k, cudaMemcpyHostToDevice));
    mm<<<dim3(N / TILE, M / TILE), dim3(TILE, TILE)>>>(x, y, r, N, K);
    cudaError_t fehler = cudaGetLastError(); CUDA_CHECK(fehler);
    CUDA_CHECK(cudaMemcpy2D(c, z * n, r, z * N, z * n, m, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(x)); CUDA_CHECK(cudaFree(y)); CUDA_CHECK(cudaFree(r));
}
