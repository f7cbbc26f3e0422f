/* expect 10: 6/6 task */
/* file task04_2d_index.cu */
/* full */
/* task04_2d_index.cu - task 4: y[row][column] = a[row] b[column], a table of any shape.
 *
 * Blocks of 16 x 16 threads in a grid of two dimensions. The matrix y lies in memory row after row;
 * threads with neighbouring threadIdx.x are neighbours in a warp. */
#include <cuda_runtime.h>
enum { TILE = 16 };

static __global__ void tableKernel(const int *a, const int *b, int *y, int rows, int columns) {
    /* TODO 4: row, column, guard, and the element of y */
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && column < columns) {
        int *line = y + (size_t)row * columns;
        line[column] = b[column] * a[row];
    }
    /* end of TODO 4 */
}

extern "C" void task4(const int *a, const int *b, int *y, int rows, int columns) {
    dim3 block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    tableKernel<<<grid, block>>>(a, b, y, rows, columns);
}
