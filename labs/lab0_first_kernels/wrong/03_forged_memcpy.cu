/* expect 0: 0 elements stored by kernels, at least 10000 needed */
/* file task03_copy.cu */
/* task03_copy.cu - task 3: y[i] = x[i] with four blocks, whatever n is.
 *
 * There are fewer threads than elements: each copies several. A warp's 32 threads ask for memory
 * together, in sectors of 32 bytes: what they ask for at one time should lie side by side. */
#include <cuda_runtime.h>
enum { BLOCKS = 4, BLOCK = 256 };

static __global__ void copyKernel(const int *x, int *y, int n) {
    int thread = blockIdx.x * BLOCK + threadIdx.x, threads = BLOCKS * BLOCK;
    /* TODO 3: a loop over the elements that this thread copies */
    (void)thread, (void)threads, (void)x, (void)y, (void)n;
    /* end of TODO 3 */
}

extern "C" void task3(const int *x, int *y, int n) {
    cudaMemcpy(y, x, n * sizeof(int), cudaMemcpyDeviceToDevice);
    copyKernel<<<BLOCKS, BLOCK>>>(x, y, n);
}
