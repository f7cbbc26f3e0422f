/* expect 10: 6/6 task */
/* file task03_copy.cu */
/* full */
/* task03_copy.cu - task 3: y[i] = x[i] with four blocks, whatever n is.
 *
 * There are fewer threads than elements: each copies several. A warp's 32 threads ask for memory
 * together, in sectors of 32 bytes: what they ask for at one time should lie side by side. */
#include <cuda_runtime.h>
enum { BLOCKS = 4, BLOCK = 256 };

static __global__ void copyKernel(const int *x, int *y, int n) {
    int thread = blockIdx.x * BLOCK + threadIdx.x, threads = BLOCKS * BLOCK;
    /* TODO 3: a loop over the elements that this thread copies */
    for (int i = thread; i < n / 4; i += threads)
        ((int4 *)y)[i] = ((const int4 *)x)[i];
    for (int i = n / 4 * 4 + thread; i < n; i += threads)
        y[i] = x[i];
    /* end of TODO 3 */
}

extern "C" void task3(const int *x, int *y, int n) { copyKernel<<<BLOCKS, BLOCK>>>(x, y, n); }
