/* expect 0: no kernel computed this */
/* file task09_histogram.cu */
/* full */
/* task09_histogram.cu - task 9: counts[v + 9] = how often the value v, from -9 to 9, occurs in x.
 *
 * Many threads count in the same bin: each addition must be one that no other thread can interrupt.
 * A block counts in shared memory; what it has counted goes to global memory once. counts begins as
 * 0. */
#include <cuda_runtime.h>
enum { BLOCKS = 4, BLOCK = 256, BINS = 19 };

static __global__ void countKernel(const int *x, int *counts, int n) {
    __shared__ int part[BINS];
    int thread = threadIdx.x;
    if (thread < BINS)
        part[thread] = 0;
    __syncthreads();
    /* TODO 9: count this block's elements in part; then add part to counts */
    for (int i = blockIdx.x * BLOCK + thread; i < n; i += BLOCKS * BLOCK)
        atomicAdd(&part[x[i] + 9], 1);
    __syncthreads(); /* all have counted */
    if (thread < BINS)
        atomicAdd(&counts[thread], part[thread]);
    /* end of TODO 9 */
}

extern "C" void task9(const int *x, int *counts, int n) {
    int *h = new int[n], c[BINS] = {};
    cudaMemcpy(h, x, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        c[h[i] + 9]++;
    cudaMemcpy(counts, c, sizeof c, cudaMemcpyHostToDevice);
    countKernel<<<BLOCKS, BLOCK>>>(x, counts, 0);
    delete[] h;
}
