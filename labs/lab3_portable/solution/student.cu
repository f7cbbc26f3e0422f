/* lab3 - one tile kernel, here in CUDA: a template over the size of the tile. student.cl is the
 * same in OpenCL C.
 *
 * C (m x n) = A (m x p) B (p x n), int, dense, row-major, any shape. */
#include "cuda_check.h"

/* Task 1. A block of TS x TS threads computes TS x TS elements of C from tiles of A and B. */
template <unsigned TS>
__global__ void matmult_kernel(const int *a, const int *b, int *c, int m, int p, int n) {
    /* TODO 1 */
    __shared__ int tile_a[TS][TS], tile_b[TS][TS];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TS + y, column = blockIdx.x * TS + x;
    int sum = 0;
    for (int k = 0; k < p; k += TS) {
        tile_a[y][x] = row < m && k + x < p ? a[row * p + (k + x)] : 0;
        tile_b[y][x] = k + y < p && column < n ? b[(k + y) * n + column] : 0;
        __syncthreads(); /* the tiles are complete */
        for (unsigned i = 0; i < TS; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads(); /* nobody needs them any more */
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
    /* end of TODO 1 */
}

/* Task 2. Starts the kernel with tiles of 8 x 8, 16 x 16 or 32 x 32. */
static void launch(const int *a, const int *b, int *c, int m, int p, int n, int tile) {
    /* TODO 2 */
    dim3 threads(tile, tile), grid((n + tile - 1) / tile, (m + tile - 1) / tile);
    if (tile == 8)
        matmult_kernel<8><<<grid, threads>>>(a, b, c, m, p, n);
    else if (tile == 16)
        matmult_kernel<16><<<grid, threads>>>(a, b, c, m, p, n);
    else
        matmult_kernel<32><<<grid, threads>>>(a, b, c, m, p, n);
    CUDA_CHECK(cudaGetLastError());
    /* end of TODO 2 */
}

extern "C" void multiply(const int *a, const int *b, int *c, int m, int p, int n, int tile) {
    int *device_a, *device_b, *device_c;
    size_t bytes_a = sizeof(int) * m * p, bytes_b = sizeof(int) * p * n,
           bytes_c = sizeof(int) * m * n;
    CUDA_CHECK(cudaMalloc(&device_a, bytes_a));
    CUDA_CHECK(cudaMalloc(&device_b, bytes_b));
    CUDA_CHECK(cudaMalloc(&device_c, bytes_c));
    CUDA_CHECK(cudaMemcpy(device_a, a, bytes_a, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_b, b, bytes_b, cudaMemcpyHostToDevice));
    launch(device_a, device_b, device_c, m, p, n, tile);
    CUDA_CHECK(cudaMemcpy(c, device_c, bytes_c, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
}
