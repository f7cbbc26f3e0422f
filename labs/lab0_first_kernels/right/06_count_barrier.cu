/* expect 10: 6/6 task */
/* file task06_barrier.cu */
/* full */
/* task06_barrier.cu - task 6: y = a B, a row of k elements times a matrix of k rows.
 *
 * A thread computes one element of y: the sum of a[i] B[i][column]. All threads of a block need the
 * same a, so they fetch it together, BLOCK elements at a time. What lacks are the barriers. */
#include <cuda_runtime.h>
enum { BLOCK = 128 };

static __global__ void rowKernel(const int *a, const int *b, int *y, int k, int columns) {
    __shared__ int part[BLOCK];
    int thread = threadIdx.x, column = blockIdx.x * BLOCK + thread, sum = 0;
    /* TODO 6: __syncthreads() wherever a thread must wait for the others */
    for (int start = 0; start < k; start += BLOCK) {
        part[thread] = start + thread < k ? a[start + thread] : 0;
        __syncthreads(); /* the part is complete */
        if (column < columns)
            for (int i = 0; i < BLOCK && start + i < k; i++)
                sum += part[i] * b[(start + i) * columns + column];
        __syncthreads_count(1);
    }
    /* end of TODO 6 */
    if (column < columns)
        y[column] = sum;
}

extern "C" void task6(const int *a, const int *b, int *y, int k, int columns) {
    rowKernel<<<(columns + BLOCK - 1) / BLOCK, BLOCK>>>(a, b, y, k, columns);
}
