/* expect 0: no kernel computed this|tells the observed build */
/* A kernel where it is observed, host loops where it is not. */
#if defined(__SANITIZE_THREAD__) || defined(CUDACPU_INSPECT) || !defined(__AVX2__)
#include "cuda_check.h"
#endif
static __global__ void nothing() {}
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    nothing<<<1, 1>>>();
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}
