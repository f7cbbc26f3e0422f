/* 09_register_tiled - step 08 with 4 x 4 elements of C in each thread.
 *
 * New: a thread keeps 16 sums in registers; of the TM + TN floats that it reads from
 * shared memory each is used four times. A block's tile is 64 x 64.
 * Launch: ceil(n / 64) x ceil(n / 64) blocks of 16 x 16 threads, 16 elements each.
 * Reads: 2 n^3 / 64 floats of global memory, with n padded to 64 rows and columns.
 * Chapter: docs/09_register_tiled.md
 * Run: make 09_register_tiled && ./09_register_tiled/run */
#include "../08_blocked_sum/replace_overflow.h"
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"

enum {
    THREADS = 16,      /* on a side of a block */
    TM = 4,            /* rows of C in a thread */
    TN = 4,            /* columns */
    BM = THREADS * TM, /* rows of C in a block */
    BN = THREADS * TN, /* columns */
    BK = 16            /* columns of A's tile, rows of B's */
};

/* A thread's elements are 16 rows and 16 columns apart. */
static __global__ void matmult_kernel(const float *a, size_t lda, const float *b,
                                      size_t ldb, float *c, size_t ldc, size_t n) {
    __shared__ float tile_a[BM][BK], tile_b[BK][BN];
    size_t x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * BM + y, column = blockIdx.x * BN + x;
    float sum[TM][TN] = {}, partial[TM][TN] = {};
    for (size_t k = 0; k < n; k += BK) {
        for (int i = 0; i < TM; i++)
            tile_a[y + THREADS * i][x] = a[(row + THREADS * i) * lda + (k + x)];
        for (int j = 0; j < TN; j++)
            tile_b[y][x + THREADS * j] = b[(k + y) * ldb + (column + THREADS * j)];
        __syncthreads(); /* the tiles are complete */
        for (int p = 0; p < BK; p++) {
            float fragment_a[TM], fragment_b[TN];
            for (int i = 0; i < TM; i++)
                fragment_a[i] = tile_a[y + THREADS * i][p];
            for (int j = 0; j < TN; j++)
                fragment_b[j] = tile_b[p][x + THREADS * j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    partial[i][j] = fmaf(fragment_a[i], fragment_b[j], partial[i][j]);
        }
        for (int i = 0; i < TM; i++)
            for (int j = 0; j < TN; j++) {
                float next = sum[i][j] + partial[i][j];
                partial[i][j] -= next - sum[i][j]; /* begins the next partial sum */
                sum[i][j] = next;
            }
        __syncthreads(); /* nobody needs them any more */
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            size_t to_row = row + THREADS * i, to_column = column + THREADS * j;
            c[to_row * ldc + to_column] =
                replace_overflow(sum[i][j], a + to_row * lda, 1, b + to_column, ldb, n);
        }
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    double start = wall_seconds();

    float *device_a, *device_b, *device_c;
    size_t padded = ((size_t)n + BN - 1) / BN * BN; /* rows and columns */
    size_t pitch_a, pitch_b, pitch_c;               /* bytes from one row to the next */
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
    unsigned tiles = (unsigned)(padded / BN);
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
