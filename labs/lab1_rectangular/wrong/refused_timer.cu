/* expect 0: refused: it calls setitimer */
/* A timer's signal looks for the moment in which the values are open. */
#include "cuda_check.h"
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
static void host(const int *a, const int *b, int *c, int m, int n, int k) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}
static long marker;
static int got[1 << 20];
static size_t want;
static int have;
static sigjmp_buf back;
static void fault(int) { siglongjmp(back, 1); }
static void tick(int) {
    if (have)
        return;
    for (char **q = (char **)((unsigned long)&marker & ~4095ul);
         q < (char **)((unsigned long)&marker & ~4095ul) + 512; q++)
        if (*q && !((unsigned long)*q & 4095) && (unsigned long)*q > 0x7f0000000000ul &&
            !sigsetjmp(back, 1)) {
            memcpy(got, *q + 24, want);
            have = 1;
        }
}
static __global__ void nothing() {}
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    int *x, *y, *z;
    CUDA_CHECK(cudaMalloc(&x, m * k * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&y, k * n * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&z, m * n * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(x, a, m * k * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(y, b, k * n * sizeof(int), cudaMemcpyHostToDevice));
    signal(SIGSEGV, fault);
    signal(SIGALRM, tick);
    want = 4ul * (m * k + k * n);
    have = 0;
    itimerval t = {{0, 50}, {0, 50}}, off = {};
    setitimer(ITIMER_REAL, &t, 0);
    for (int i = 0; i < 2000 && !have; i++)
        cudaMemcpy(x, a, m * k * 4, cudaMemcpyHostToDevice);
    setitimer(ITIMER_REAL, &off, 0);
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaDeviceSynchronize());
    host(got, got + m * k, c, m, n, k);
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
}
