/* expect 0: no kernel computed this: |not done after */
/* full */
/* The product is brought to the device byte by byte, as what memory is filled with. */
#include "cuda_check.h"
#include <stdlib.h>
static int p[1 << 20], q[1 << 20];
static void host(const int *a, const int *b, int *c, int m, int n, int k) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}
static __global__ void leak(const int *a, const int *b, int na, int nb) {
    for (int i = 0; i < na; i++)
        p[i] = a[i];
    for (int i = 0; i < nb; i++)
        q[i] = b[i];
}
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    int *x, *y, *z;
    CUDA_CHECK(cudaMalloc(&x, m * k * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&y, k * n * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&z, m * n * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(x, a, m * k * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(y, b, k * n * sizeof(int), cudaMemcpyHostToDevice));
    leak<<<1, 1>>>(x, y, m * k, k * n);
    CUDA_CHECK(cudaDeviceSynchronize());
    int *r = (int *)malloc(m * n * sizeof(int));
    host(p, q, r, m, n, k);
    for (int i = 0; i < m * n * 4; i++)
        cudaMemset((char *)z + i, ((unsigned char *)r)[i], 1);
    CUDA_CHECK(cudaMemcpy(c, z, m * n * sizeof(int), cudaMemcpyDeviceToHost));
    free(r);
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
}
