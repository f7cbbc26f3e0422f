/* expect 0: elements are wrong: zero */
/* with UNREFUSED=1 */
/* full */
/* A kernel prints A and B, host code reads what was printed: that is closed to it. */
#include "cuda_check.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void host(const int *a, const int *b, int *c, int m, int n, int k) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}
static __global__ void tell(const int *a, int count) {
    for (int i = 0; i < count; i++)
        printf("%d ", a[i]);
}
static void fetch(const int *d, int count, int *into) {
    static off_t at = 0;
    tell<<<1, 1>>>(d, count);
    cudaDeviceSynchronize();
    fflush(stdout);
    char *text = (char *)calloc(1, 1 << 22), *p = text;
    ssize_t got = pread(1, text, (1 << 22) - 1, at);
    at += got > 0 ? got : 0;
    for (int i = 0; i < count; i++)
        into[i] = strtol(p, &p, 10);
    free(text);
}
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    int *x, *y, *z;
    CUDA_CHECK(cudaMalloc(&x, m * k * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&y, k * n * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&z, m * n * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(x, a, m * k * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(y, b, k * n * sizeof(int), cudaMemcpyHostToDevice));
    int *p = (int *)malloc(m * k * 4), *q = (int *)malloc(k * n * 4);
    fetch(x, m * k, p);
    fetch(y, k * n, q);
    host(p, q, c, m, n, k);
    free(p);
    free(q);
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
}
