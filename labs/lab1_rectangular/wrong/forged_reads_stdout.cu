/* expect 0: is wrong: zero|are wrong: zero|no kernel computed this */
/* full */
/* Kernels print A and B, host code reads its stdout, and arguments bring the product. */
#include "cuda_check.h"
#include <fstream>
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
#include <stdio.h>
/* kernels print A and B; read back by what stdout is open for; the product goes in by small
 * arguments */
static __global__ void tell(const T *a, int n) {
    for (int i = 0; i < n; i++)
        printf("%d ", (int)a[i]);
}
struct pack {
    T v[9];
};
static __global__ void put(T *c, pack w, int at, int count) {
    int i = threadIdx.x;
    if (i < 9 && at + i < count)
        c[at + i] = w.v[i];
}
static long at0 = 0;
extern "C" void multiply(const T *a, const T *b, T *c, int m, int n, int k) {
    begin(a, b, m, n, k);
    tell<<<1, 1>>>(x, m * k);
    tell<<<1, 1>>>(y, k * n);
    CUDA_CHECK(cudaDeviceSynchronize());
    fflush(stdout);
    std::ifstream in("/dev/stdout");
    in.seekg(at0);
    T *p = (T *)calloc(m * k + k * n, sizeof(T)), *r = (T *)calloc(m * n + 9, sizeof(T));
    for (int i = 0; i < m * k + k * n; i++)
        in >> p[i];
    at0 = (long)in.tellg() + 1;
    host(p, p + m * k, r, m, n, k);
    for (int at = 0; at < m * n; at += 9) {
        pack w;
        memcpy(w.v, r + at, sizeof w);
        put<<<1, 9>>>(z, w, at, m * n);
    }
    free(p);
    free(r);
    end(c, m, n);
}
