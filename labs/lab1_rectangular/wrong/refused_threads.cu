/* expect 0: refused: it calls std::thread.*beside a kernel */
/* A thread computes with the memory of the device, which is open while a kernel runs. */
#include "cuda_check.h"
#include <thread>
static void host(const int *a, const int *b, int *c, int m, int n, int k) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}
static volatile int started, done;
static __global__ void spin() {
    started = 1;
    while (!done)
        ;
}
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    int *x, *y, *z;
    CUDA_CHECK(cudaMalloc(&x, m * k * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&y, k * n * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&z, m * n * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(x, a, m * k * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(y, b, k * n * sizeof(int), cudaMemcpyHostToDevice));
    started = done = 0;
    std::thread t([=] {
        while (!started)
            ;
        host(x, y, c, m, n, k);
        done = 1;
    });
    spin<<<1, 1>>>();
    CUDA_CHECK(cudaDeviceSynchronize());
    t.join();
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
}
