/* 08_blocked_sum - step 07 with plain sums of 16 products, compensated once a tile.
 *
 * New: the products of a tile are added to a partial sum, one fmaf each; Kahan's
 * addition brings it to the sum. An error bound holds for all finite operands. A sum that
 * overflowed is computed again as 01 does.
 * Launch: ceil(n / 16) x ceil(n / 16) blocks of 16 x 16 threads, one for each element.
 * Reads: 2 n^3 / 16 floats of global memory, with the padded n.
 * Chapter: docs/08_blocked_sum.md
 * Run: make 08_blocked_sum && ./08_blocked_sum/run */
#include "cuda_check.h"
#include "matmult.h"
#include "replace_overflow.h"
#include "timing.h"

enum { TILE = 16 };

static __global__ void matmult_kernel(const float *a, size_t lda, const float *b,
                                      size_t ldb, float *c, size_t ldc, size_t n) {
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    size_t x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0, partial = 0;
    for (size_t k = 0; k < n; k += TILE) {
        tile_a[y][x] = a[row * lda + (k + x)];
        tile_b[y][x] = b[(k + y) * ldb + column];
        __syncthreads(); /* the tiles are complete */
        for (size_t i = 0; i < TILE; i++)
            partial = fmaf(tile_a[y][i], tile_b[i][x], partial);
        float next = sum + partial;
        partial -= next - sum; /* what the addition lost begins the next partial sum */
        sum = next;
        __syncthreads(); /* nobody needs them any more */
    }
    c[row * ldc + column] = replace_overflow(sum, a + row * lda, 1, b + column, ldb, n);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    double start = wall_seconds();

    float *device_a, *device_b, *device_c;
    size_t padded = ((size_t)n + TILE - 1) / TILE * TILE; /* rows and columns */
    size_t pitch_a, pitch_b, pitch_c; /* bytes from one row to the next */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMemset(device_a, 0, pitch_a * padded));
    CUDA_CHECK(cudaMemset(device_b, 0, pitch_b * padded));
    CUDA_CHECK(cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));

    kernel_timer timer = start_kernel_timer();
    unsigned tiles = ((unsigned)n + TILE - 1) / TILE;
    matmult_kernel<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(
        device_a, pitch_a / sizeof(float), device_b, pitch_b / sizeof(float), device_c,
        pitch_c / sizeof(float), padded);
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
