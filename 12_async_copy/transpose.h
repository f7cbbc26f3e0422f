/* transpose.h - a kernel that transposes. Chapter: docs/12_async_copy.md */
#ifndef TRANSPOSE_H
#define TRANSPOSE_H
#include <cuda_runtime.h>
#include <stddef.h>

enum { SIDE = 32 }; /* of the tile that a block of 32 x 8 threads transposes */

/* transposed = A transposed: SIDE gridDim.y rows of A, SIDE gridDim.x columns. Leading
 * dimensions in elements. */
[[maybe_unused]] static __global__ void
transpose_kernel(const float *a, size_t lda, float *transposed, size_t pitch) {
    __shared__ float tile[SIDE][SIDE + 1]; /* without bank conflicts */
    const size_t x = threadIdx.x, y = threadIdx.y;
    const size_t row = (size_t)blockIdx.y * SIDE, column = (size_t)blockIdx.x * SIDE;
    for (unsigned i = 0; i < SIDE; i += 8)
        tile[y + i][x] = a[(row + y + i) * lda + column + x];
    __syncthreads();
    for (unsigned i = 0; i < SIDE; i += 8)
        transposed[(column + y + i) * pitch + row + x] = tile[x][y + i];
}
#endif
