/* expect 0: no kernel computed this: the result is right when host code can read */
/* gpu 0: elements are wrong: zero */
/* full */
/* Host code computes in variables of the device, to which a kernel has copied A and B. */
#include "cuda_check.h"
#include <stdlib.h>
#include <string.h>
#ifndef TILE
#define TILE 32
#endif
#ifndef ELEMENT
#define ELEMENT int
#endif
typedef ELEMENT T;
static void host(const T *a, const T *b, T *c, int m, int n, int k) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            T sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}
/* a decoy that loads and stores what a tiled kernel would */
static __global__ void decoy(const T *a, const T *b, T *c, int m, int n, int k) {
    __shared__ T ta[TILE][TILE], tb[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    T sum = 0;
    for (int s = 0; s < k; s += TILE) {
        ta[y][x] = row < m && s + x < k ? a[row * k + s + x] : 0;
        tb[y][x] = s + y < k && col < n ? b[(s + y) * n + col] : 0;
        __syncthreads();
        sum += ta[y][x] + tb[x][y];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
static T *x, *y, *z;
static void begin(const T *a, const T *b, int m, int n, int k) {
    CUDA_CHECK(cudaMalloc(&x, m * k * sizeof(T)));
    CUDA_CHECK(cudaMalloc(&y, k * n * sizeof(T)));
    CUDA_CHECK(cudaMalloc(&z, m * n * sizeof(T)));
    CUDA_CHECK(cudaMemcpy(x, a, m * k * sizeof(T), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(y, b, k * n * sizeof(T), cudaMemcpyHostToDevice));
    decoy<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), dim3(TILE, TILE)>>>(x, y, z, m, n,
                                                                                    k);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}
static void end(T *c, int m, int n) {
    CUDA_CHECK(cudaMemcpy(c, z, m * n * sizeof(T), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
}
static __device__ T p[1 << 18], q[1 << 18], r[1 << 18];
static __global__ void leak(const T *a, const T *b, int na, int nb) {
    for (int i = threadIdx.x; i < na; i += 256)
        p[i] = a[i];
    for (int i = threadIdx.x; i < nb; i += 256)
        q[i] = b[i];
}
static __global__ void inject(T *c, int n) {
    for (int i = threadIdx.x; i < n; i += 256)
        c[i] = r[i];
}
extern "C" void multiply(const T *a, const T *b, T *c, int m, int n, int k) {
    begin(a, b, m, n, k);
    leak<<<1, 256>>>(x, y, m * k, k * n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    host(p, q, r, m, n, k);
    inject<<<1, 256>>>(z, m * n);
    CUDA_CHECK(cudaGetLastError());
    end(c, m, n);
}
