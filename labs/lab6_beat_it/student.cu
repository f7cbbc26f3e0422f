/* 06_tiled - a block computes a 16 x 16 tile of C from tiles in shared memory.
 *
 * New: A and B are loaded tile by tile, and each loaded float is used 16 times. A tile
 * holds zeros where it leaves the matrix.
 * Launch: ceil(n / 16) x ceil(n / 16) blocks of 16 x 16 threads, one for each element.
 * Reads: 2 n^3 / 16 floats of global memory.
 * Chapter: docs/06_tiled.md
 * Run: make 06_tiled && ./06_tiled/run */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"

enum { TILE = 16 };

static __global__ void matmult_kernel(const float *a, size_t lda, const float *b,
                                      size_t ldb, float *c, size_t ldc, size_t n) {
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    size_t x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0, compensation = 0;
    for (size_t k = 0; k < n; k += TILE) {
        tile_a[y][x] = row < n && k + x < n ? a[row * lda + (k + x)] : 0;
        tile_b[y][x] = k + y < n && column < n ? b[(k + y) * ldb + column] : 0;
        __syncthreads(); /* the tiles are complete */
        for (size_t i = 0; i < TILE; i++) {
            float term = tile_a[y][i] * tile_b[i][x] - compensation;
            float next = sum + term;
            compensation = (next - sum) - term;
            sum = next;
        }
        __syncthreads(); /* nobody needs them any more */
    }
    if (row < n && column < n)
        c[row * ldc + column] = sum;
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    double start = wall_seconds();

    float *device_a, *device_b, *device_c;
    size_t pitch_a, pitch_b, pitch_c; /* bytes from one row to the next */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));

    kernel_timer timer = start_kernel_timer();
    unsigned tiles = ((unsigned)n + TILE - 1) / TILE;
    matmult_kernel<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(
        device_a, pitch_a / sizeof(float), device_b, pitch_b / sizeof(float), device_c,
        pitch_c / sizeof(float), n);
    CUDA_CHECK(cudaGetLastError());
    result.kernel = stop_kernel_timer(&timer);

    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, pitch_c, row_bytes,
                            (size_t)n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    result.total = wall_seconds() - start;
    return result;
}
