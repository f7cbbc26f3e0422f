/* expect 0: no kernel computed this: .*no copies of what is on the device */
/* with UNREFUSED=1 */
/* full */
/* The same, not refused: its C is no copy of what is on the device. */
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
