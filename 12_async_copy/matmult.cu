/* 12_async_copy - step 11 with asynchronous copies: the next tiles are on their way to
 * shared memory while these are multiplied.
 *
 * New: two stages of tiles, filled by cp.async. It moves bytes as they are, so a kernel
 * of its own transposes A before. Partial sums have 192 products, the first one 128.
 * Launch: ceil(n / 128) x ceil(n / 128) blocks of 256 threads, 64 elements each, with
 * 96 KB of shared memory; before them 16 times as many of 32 x 8, which transpose A.
 * Reads: 2 n^3 / 128 + n^2 floats of global memory, with n padded to 128.
 * Chapter: docs/12_async_copy.md
 * Run: make 12_async_copy && ./12_async_copy/run */
#include "../08_blocked_sum/replace_overflow.h"
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include "transpose.h"
#include <cuda_pipeline.h>

enum {
    THREADS = 256, /* in a block: 8 warps, 2 side by side */
    TM = 8,        /* rows of C in a thread */
    TN = 8,        /* columns */
    BM = 128,      /* rows of C in a block */
    BN = 128,      /* columns */
    BK = 16,       /* columns of A's tile, rows of B's */
    FIRST = 128,   /* products in the first partial sum */
    LENGTH = 192   /* and in each of the others */
};

/* A thread's sums, by fours: find_sums(i, j) points to those of row i, column j on. */
extern __shared__ float4 all_sums[];
static __device__ float4 *find_sums(int i, int j) {
    return &all_sums[(i * TN + j) / 4 * THREADS + threadIdx.x];
}

static __device__ void add_partial_sums(float (*partial)[TN]) {
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4) {
            __align__(16) float sum[4];
            *(float4 *)sum = *find_sums(i, j);
            for (int l = 0; l < 4; l++) {
                float next = sum[l] + partial[i][j + l];
                partial[i][j + l] -= next - sum[l]; /* begins the next partial sum */
                sum[l] = next;
            }
            *find_sums(i, j) = *(const float4 *)sum;
        }
}

/* Adds the products of two tiles to the partial sums of the thread at row y, column x. */
static __device__ __forceinline__ void add_products(const float (*tile_a)[BM],
                                                    const float (*tile_b)[BN], unsigned y,
                                                    unsigned x, float (*partial)[TN]) {
#pragma unroll
    for (int p = 0; p < BK; p++) {
        __align__(16) float fragment_a[TM], fragment_b[TN];
        for (int i = 0; i < TM; i += 4)
            *(float4 *)&fragment_a[i] = *(const float4 *)&tile_a[p][y + 4 * i];
        for (int j = 0; j < TN; j += 4)
            *(float4 *)&fragment_b[j] = *(const float4 *)&tile_b[p][x + 8 * j];
        for (int i = 0; i < TM; i++)
            for (int l = 0; l < TN; l++) {
                const int j = i % 2 ? TN - 1 - l : l; /* serpentine */
                partial[i][j] = fmaf(fragment_a[i], fragment_b[j], partial[i][j]);
            }
    }
}

/* Starts the copy of a tile. from: where the thread's first four floats are. */
static __device__ void copy_tile(float (*tile)[BN], const float *from, size_t pitch) {
    const unsigned row = threadIdx.x / 32, column = threadIdx.x % 32 * 4;
    for (unsigned i = 0; i < BK; i += 8)
        __pipeline_memcpy_async(&tile[row + i][column], from + i * pitch, sizeof(float4));
}

/* A thread's rows and columns come by fours, 16 rows and 32 columns apart. */
static __global__ void __launch_bounds__(THREADS, 2) /* two blocks on an SM */
    matmult_kernel(const float *a, size_t lda, const float *b, size_t ldb, float *c,
                   size_t ldc, unsigned n) {
    __shared__ __align__(16) float tile_a[2][BK][BM], tile_b[2][BK][BN];
    const unsigned thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    /* Neighbouring lanes share a row, every second pair a column: so loads merge. */
    const unsigned lane_x = (lane & 1) | (lane >> 1 & 6),
                   lane_y = (lane >> 1 & 1) | (lane >> 3 & 2);
    const unsigned x = warp % 2 * 64 + lane_x * 4, y = warp / 2 * 4 * TM + lane_y * 4;
    const unsigned from_row = thread / 32, from_column = thread % 32 * 4;
    const float *next_a = a + from_row * lda + (size_t)blockIdx.y * BM + from_column;
    const float *next_b = b + from_row * ldb + (size_t)blockIdx.x * BN + from_column;
    float partial[TM][TN] = {};
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            *find_sums(i, j) = make_float4(0, 0, 0, 0);
    copy_tile(tile_a[0], next_a, lda);
    copy_tile(tile_b[0], next_b, ldb);
    __pipeline_commit();
    n = (n + 2 * BK - 1) / (2 * BK) * (2 * BK); /* whole pairs of tiles */
    for (unsigned k = 0, end = min(FIRST, n); k < n; end = min(k + LENGTH, n)) {
        while (k < end)
#pragma unroll /* so that the addresses of the stages are constants */
            for (unsigned stage = 0; stage < 2; stage++) {
                __pipeline_wait_prior(0);
                __syncthreads(); /* the tiles are complete, the other stage is free */
                k += BK;
                const size_t step = k < n ? BK : 0; /* the last tiles come twice: no if */
                next_a += step * lda;
                next_b += step * ldb;
                copy_tile(tile_a[1 - stage], next_a, lda);
                copy_tile(tile_b[1 - stage], next_b, ldb);
                __pipeline_commit();
                add_products(tile_a[stage], tile_b[stage], y, x, partial);
            }
        add_partial_sums(partial);
    }
    const size_t row = (size_t)blockIdx.y * BM + y, column = (size_t)blockIdx.x * BN + x;
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4) {
            const size_t to_row = row + i % 4 + i / 4 * 16, to_column = column + 8 * j;
            __align__(16) float sum[4];
            *(float4 *)sum = *find_sums(i, j);
            for (int l = 0; l < 4; l++)
                sum[l] =
                    replace_overflow(sum[l], a + to_row, lda, b + to_column + l, ldb, n);
            ((float4 *)c)[(to_row * ldc + to_column) / 4] = *(const float4 *)sum;
        }
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    double start = wall_seconds();

    float *device_a, *device_b, *device_c, *transposed;
    size_t padded = ((size_t)n + BN - 1) / BN * BN; /* rows and columns */
    size_t pitch_a, pitch_b, pitch_c, pitch;        /* bytes from one row to the next */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&transposed, &pitch, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMemset(device_a, 0, pitch_a * padded));
    CUDA_CHECK(cudaMemset(device_b, 0, pitch_b * padded));
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice)); /* last: in the L2 */

    kernel_timer timer = start_kernel_timer();
    unsigned tiles = (unsigned)(padded / BN);
    transpose_kernel<<<dim3(tiles * BN / SIDE, tiles * BN / SIDE), dim3(SIDE, 8)>>>(
        device_a, pitch_a / sizeof(float), transposed, pitch / sizeof(float));
    CUDA_CHECK(cudaGetLastError());
    const size_t sum_bytes = TM * TN * THREADS * sizeof(float);
    CUDA_CHECK(cudaFuncSetAttribute(
        matmult_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sum_bytes));
    matmult_kernel<<<dim3(tiles, tiles), THREADS, sum_bytes>>>(
        transposed, pitch / sizeof(float), device_b, pitch_b / sizeof(float), device_c,
        pitch_c / sizeof(float), n);
    CUDA_CHECK(cudaGetLastError());
    result.kernel = stop_kernel_timer(&timer);

    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, pitch_c, row_bytes,
                            (size_t)n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    CUDA_CHECK(cudaFree(transposed));
    result.total = wall_seconds() - start;
    return result;
}
