/* expect 0: 0 elements stored by kernels, at least 6144 needed */
/* file task08_transpose.cu */
/* full */
/* task08_transpose.cu - task 8: y[column][row] = x[row][column], x of any shape.
 *
 * A tile of 32 x 32 is read row by row and written row by row: what has to turn does so in shared
 * memory. That has 32 banks, word w in bank w mod 32: a column of a tile should not lie in one
 * bank. */
#include <cuda_runtime.h>
enum { TILE = 32 };

static __global__ void transposeKernel(const int *x, int *y, int rows, int columns) {
    /* TODO 8a: a tile whose columns lie in different banks */
    __shared__ int tile[TILE][TILE + 1];
    /* end of TODO 8a */
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    if (row < rows && column < columns)
        tile[ty][tx] = x[row * columns + column];
    __syncthreads();
    /* TODO 8b: the element of y that this thread writes, and from where in the tile */
    int y_row = blockIdx.x * TILE + ty, y_column = blockIdx.y * TILE + tx;
    if (y_row < columns && y_column < rows)
        (void)tile[tx][ty];
    /* end of TODO 8b */
}

extern "C" void task8(const int *x, int *y, int rows, int columns) {
    dim3 block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    for (int r = 0; r < rows; r++)
        cudaMemcpy2D(y + r, rows * sizeof(int), x + r * columns, sizeof(int), sizeof(int), columns,
                     cudaMemcpyDeviceToDevice);
    transposeKernel<<<grid, block>>>(x, y, rows, columns);
}
