/* lab6 - a block computes a 64 x 64 tile of C, each of its 16 x 16 threads 4 x 4 elements
 * of it, in registers.
 *
 * Step 06 reads two floats of shared memory for each product; here 8 floats serve 16
 * products. And Kahan's four operations come once in PARTIAL products: these go into a
 * partial sum, which is then added with compensation. */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"

enum {
    THREADS = 16,          /* along each side of a block */
    EACH = 4,              /* along each side of a thread's elements, THREADS apart */
    TILE = THREADS * EACH, /* of C in a block */
    DEPTH = 16,            /* columns of A's tile, rows of B's */
    PARTIAL = 64           /* products in a partial sum; a multiple of DEPTH */
};

static __global__ void matmult_kernel(const float *a, size_t lda, const float *b,
                                      size_t ldb, float *c, size_t ldc, size_t n) {
    /* A's is transposed: + 1 against bank conflicts */
    __shared__ float tile_a[DEPTH][TILE + 1], tile_b[DEPTH][TILE];
    const unsigned x = threadIdx.x, y = threadIdx.y, thread = y * THREADS + x;
    const size_t first_row = (size_t)blockIdx.y * TILE,
                 first_column = (size_t)blockIdx.x * TILE;
    float sum[EACH][EACH] = {}, partial[EACH][EACH] = {};
    for (size_t k = 0; k < n; k += DEPTH) {
        for (unsigned i = thread; i < TILE * DEPTH; i += THREADS * THREADS) {
            size_t row = first_row + i / DEPTH, column = first_column + i % TILE;
            size_t a_k = k + i % DEPTH, b_k = k + i / TILE;
            tile_a[i % DEPTH][i / DEPTH] = row < n && a_k < n ? a[row * lda + a_k] : 0;
            tile_b[i / TILE][i % TILE] =
                b_k < n && column < n ? b[b_k * ldb + column] : 0;
        }
        __syncthreads(); /* the tiles are complete */
        for (unsigned d = 0; d < DEPTH; d++) {
            float part_a[EACH], part_b[EACH];
            for (unsigned i = 0; i < EACH; i++) {
                part_a[i] = tile_a[d][y + i * THREADS];
                part_b[i] = tile_b[d][x + i * THREADS];
            }
            for (unsigned i = 0; i < EACH; i++)
                for (unsigned j = 0; j < EACH; j++)
                    partial[i][j] = fmaf(part_a[i], part_b[j], partial[i][j]);
        }
        if ((k / DEPTH + 1) % (PARTIAL / DEPTH) == 0 || k + DEPTH >= n)
            for (unsigned i = 0; i < EACH; i++)
                for (unsigned j = 0; j < EACH; j++) {
                    float next = sum[i][j] + partial[i][j];
                    partial[i][j] -= next - sum[i][j]; /* what was lost starts the next */
                    sum[i][j] = next;
                }
        __syncthreads(); /* nobody needs them any more */
    }
    for (unsigned i = 0; i < EACH; i++)
        for (unsigned j = 0; j < EACH; j++) {
            size_t row = first_row + y + i * THREADS,
                   column = first_column + x + j * THREADS;
            if (row < n && column < n)
                c[row * ldc + column] = sum[i][j];
        }
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
    matmult_kernel<<<dim3(tiles, tiles), dim3(THREADS, THREADS)>>>(
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
