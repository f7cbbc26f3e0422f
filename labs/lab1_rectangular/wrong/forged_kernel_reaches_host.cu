/* expect 0: a kernel reaches into the memory of host code.*host variable */
/* gpu 0: does not compile: student.cu.*undefined in device code */
/* A kernel copies A and B into variables of host code, and another fetches the product from there.
 */
#include "cuda_check.h"
static int p[1 << 20], q[1 << 20], r[1 << 20];
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
static __global__ void inject(int *c, int count) {
    for (int i = 0; i < count; i++)
        c[i] = r[i];
}
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    int *x, *y, *z;
    CUDA_CHECK(cudaMalloc(&x, m * k * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&y, k * n * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&z, m * n * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(x, a, m * k * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(y, b, k * n * sizeof(int), cudaMemcpyHostToDevice));
    leak<<<1, 1>>>(x, y, m * k, k * n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    host(p, q, r, m, n, k);
    inject<<<1, 1>>>(z, m * n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(c, z, m * n * sizeof(int), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
}
