/* expect 0: no kernel computed this:  */
/* gpu 0: an illegal memory access was encountered */
/* full */
/* A kernel writes C in host memory. */
#include "cuda_check.h"
static __global__ void all(const int *a, const int *b, int *c, int m, int n, int k) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            for (int l = 0; l < k; l++)
                s += a[i * k + l] * b[l * n + j];
            c[i * n + j] = s;
        }
}
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    int *x, *y, *z;
    CUDA_CHECK(cudaMalloc(&x, m * k * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&y, k * n * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&z, m * n * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(x, a, m * k * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(y, b, k * n * sizeof(int), cudaMemcpyHostToDevice));
    all<<<1, 1>>>(x, y, c, m, n, k);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
}
