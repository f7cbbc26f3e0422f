/* expect 0: no kernel computed this|never written|host code used a device pointer|is wrong|are
/* full */
 * wrong */
/* with UNREFUSED=1 */
/* A constructor and threads that compute from what host code can read, while a kernel spins. */
#include "cuda_check.h"
#include <thread>
static __global__ void spin(int *flag) {
    for (int i = 0; i < 1000000 && !*(volatile int *)flag; i++)
        ;
}
__attribute__((constructor)) static void early() { setenv("CUDACPU_ASYNC", "early", 1); }
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    int *flag;
    CUDA_CHECK(cudaMalloc(&flag, sizeof *flag));
    CUDA_CHECK(cudaMemset(flag, 0, sizeof *flag));
    std::thread worker([=] {
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                int sum = 0;
                for (int l = 0; l < k; l++)
                    sum += a[i * k + l] * b[l * n + j];
                c[i * n + j] = sum;
            }
    });
    spin<<<1, 1>>>(flag);
    worker.join();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(flag));
}
