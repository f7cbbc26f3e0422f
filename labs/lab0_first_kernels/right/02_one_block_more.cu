/* expect 10: 6/6 task */
/* file task02_guard.cu */
/* full */
/* task02_guard.cu - task 2: y[i] = 2 x[i] for any n.
 *
 * Where n is no multiple of BLOCK the last block is only partly used: there must be enough blocks,
 * and the threads beyond n must not touch the arrays. */
#include <cuda_runtime.h>
enum { BLOCK = 256 };

static __global__ void doubleKernel(const int *x, int *y, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    /* TODO 2a: only threads whose element is there */
    if (i < n)
        y[i] = 2 * x[i];
    /* end of TODO 2a */
}

extern "C" void task2(const int *x, int *y, int n) {
    /* TODO 2b: enough blocks for n elements */
    int blocks = n / BLOCK + 1;
    /* end of TODO 2b */
    doubleKernel<<<blocks, BLOCK>>>(x, y, n);
}
