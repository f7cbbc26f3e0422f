/* expect 0: no kernel computed this:  */
/* full */
/* A and B come back from the device byte by byte; host loops. */
#include "cuda_check.h"
#include <stdlib.h>
static void host(const int *a, const int *b, int *c, int m, int n, int k) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}
static __global__ void nothing() {}
static void fetch(void *to, const void *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        cudaMemcpy((char *)to + i, (const char *)from + i, 1, cudaMemcpyDeviceToHost);
}
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    int *x, *y, *z;
    CUDA_CHECK(cudaMalloc(&x, m * k * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&y, k * n * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&z, m * n * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(x, a, m * k * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(y, b, k * n * sizeof(int), cudaMemcpyHostToDevice));
    int *p = (int *)malloc(m * k * 4), *q = (int *)malloc(k * n * 4);
    fetch(p, x, m * k * 4);
    fetch(q, y, k * n * 4);
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaGetLastError());
    host(p, q, c, m, n, k);
    free(p);
    free(q);
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
}
