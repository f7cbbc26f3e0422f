/* expect 10: 6/6 task */
/* file task01_index.cu */
/* full */
/* task01_index.cu - task 1: y[i] = 2 x[i], a thread for each element.
 *
 * A grid of blocks, BLOCK threads each: which element is this thread's? n is a multiple of BLOCK.
 */
#include <cuda_runtime.h>
enum { BLOCK = 256 };

static __global__ void doubleKernel(const int *x, int *y) {
    /* TODO 1: this thread's i, and y[i] */
    const unsigned int base = blockIdx.x * 256u;
    for (unsigned k = threadIdx.x; k < 256u; k += blockDim.x)
        y[base + k] = x[base + k] + x[base + k];
    /* end of TODO 1 */
}

extern "C" void task1(const int *x, int *y, int n) { doubleKernel<<<n / BLOCK, BLOCK>>>(x, y); }
