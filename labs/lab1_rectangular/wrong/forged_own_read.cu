/* expect 0: no kernel computed this: |never written */
/* full */
/* with UNREFUSED=1 */
/* A pread() of its own, to read the values. */
#include "cuda_check.h"
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
static int *v;
extern "C" ssize_t pread(int fd, void *p, size_t bytes, off_t at) {
    if (bytes == 40) {
        v = (int *)malloc(1 << 24);
        pread64(fd, v, 1 << 24, 40);
    }
    return pread64(fd, p, bytes, at);
}
static __global__ void nothing() {}
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaDeviceSynchronize());
    if (v)
        host(v, v + m * k, c, m, n, k);
}
