/* expect 0: 1235 bank conflicts, 0 needed */
/* file task07_reduction.cu */
/* full */
/* task07_reduction.cu - task 7: y[row] = the sum of a row, a block for each row.
 *
 * Each thread adds every 256th element of the row. Then there are 256 sums in shared memory, and
 * they become one in a tree: in each step the upper half is added to the lower half. */
#include <cuda_runtime.h>
enum { BLOCK = 256 };

static __global__ void sumKernel(const int *x, int *y, int columns) {
    __shared__ int part[BLOCK];
    int row = blockIdx.x, thread = threadIdx.x, sum = 0;
    for (int column = thread; column < columns; column += BLOCK)
        sum += x[row * columns + column];
    part[thread] = sum;
    __syncthreads();
    /* TODO 7: the tree: 128 threads add, then 64, and so on down to 1 */
    if (thread)
        atomicAdd(&part[0], part[thread]);
    __syncthreads();
    /* end of TODO 7 */
    if (thread == 0)
        y[row] = part[0];
}

extern "C" void task7(const int *x, int *y, int rows, int columns) {
    sumKernel<<<rows, BLOCK>>>(x, y, columns);
}
