/* expect 0: no kernel computed this: |is wrong|are wrong|never written|not its own */
/* with UNREFUSED=1 */
/* full */
/* An mmap() of its own, to keep the values open. */
#include "cuda_check.h"
#include <stddef.h>
#include <sys/mman.h>
static void host(const int *a, const int *b, int *c, int m, int n, int k) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}
static int *maps[64];
static size_t sizes[64];
static int count;
extern "C" void *mmap(void *p, size_t bytes, int prot, int flags, int fd, off_t at) noexcept {
    void *q = mmap64(p, bytes, fd >= 0 ? PROT_READ : prot, flags, fd, at);
    if (fd >= 0 && prot == PROT_NONE) {
        maps[count % 64] = (int *)q;
        sizes[count++ % 64] = bytes;
    }
    return q;
}
static __global__ void nothing() {}
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaDeviceSynchronize());
    if (count) {
        int *v = maps[(count - 1) % 64] + 10;
        host(v, v + m * k, c, m, n, k);
    }
}
