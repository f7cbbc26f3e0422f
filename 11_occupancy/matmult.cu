/* 11_occupancy - step 10 with its sums in shared memory, so that two blocks fit on an SM.
 *
 * New: a sum is needed once in a partial sum, now of 64 products; it leaves the
 * registers, of which 128 are then enough. While one block waits the other computes.
 * Launch: ceil(n / 128) x ceil(n / 128) blocks of 256 threads, 64 elements each, with
 * 80 KB of shared memory.
 * Reads: 2 n^3 / 128 floats of global memory, with n padded to 128 rows and columns.
 * Chapter: docs/11_occupancy.md
 * Run: make 11_occupancy && ./11_occupancy/run */
#include "../08_blocked_sum/replace_overflow.h"
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"

enum {
    THREADS = 256, /* in a block: 8 warps, 2 side by side */
    TM = 8,        /* rows of C in a thread */
    TN = 8,        /* columns */
    BM = 128,      /* rows of C in a block */
    BN = 128,      /* columns */
    BK = 16,       /* columns of A's tile, rows of B's */
    LENGTH = 64    /* products in a partial sum */
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
static __device__ __forceinline__ void add_products(const float (*tile_a)[BM + 4],
                                                    const float (*tile_b)[BN], unsigned y,
                                                    unsigned x, float (*partial)[TN]) {
#pragma unroll
    for (int p = 0; p < BK; p++) {
        __align__(16) float fragment_a[TM], fragment_b[TN];
        for (int j = 0; j < TN; j += 4)
            *(float4 *)&fragment_b[j] = *(const float4 *)&tile_b[p][x + 8 * j];
        for (int i = 0; i < TM; i += 4)
            *(float4 *)&fragment_a[i] = *(const float4 *)&tile_a[p][y + 4 * i];
        for (int i = 0; i < TM; i++)
            for (int j = 0; j < TN; j++)
                partial[i][j] = fmaf(fragment_a[i], fragment_b[j], partial[i][j]);
    }
}

/* A thread's rows and columns come by fours, 16 rows and 32 columns apart. */
static __global__ void __launch_bounds__(THREADS, 2) /* two blocks on an SM */
    matmult_kernel(const float *a, size_t lda, const float *b, size_t ldb, float *c,
                   size_t ldc, size_t n) {
    /* Four floats of padding halve the bank conflicts of storing A's tile. */
    __shared__ __align__(16) float tile_a[BK][BM + 4], tile_b[BK][BN];
    const unsigned thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    /* Neighbouring lanes share a row, every second pair a column: so loads merge. */
    const unsigned lane_x = (lane & 1) | (lane >> 1 & 6),
                   lane_y = (lane >> 1 & 1) | (lane >> 3 & 2);
    const unsigned x = warp % 2 * 64 + lane_x * 4, y = warp / 2 * 4 * TM + lane_y * 4;
    /* What the thread loads: four floats of a row. */
    const unsigned a_row = thread / 4, a_column = thread % 4 * 4;
    const unsigned b_row = thread / 32, b_column = thread % 32 * 4;
    const float *next_a = a + ((size_t)blockIdx.y * BM + a_row) * lda + a_column;
    const float *next_b = b + b_row * ldb + (size_t)blockIdx.x * BN + b_column;
    float partial[TM][TN] = {};
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            *find_sums(i, j) = make_float4(0, 0, 0, 0);
    for (size_t k = 0; k < n; k += LENGTH) {
        for (unsigned tile = 0; tile < LENGTH / BK; tile++) {
            for (unsigned i = 0; i < BM; i += 64) {
                float4 four = *(const float4 *)(next_a + i * lda);
                tile_a[a_column][a_row + i] = four.x;
                tile_a[a_column + 1][a_row + i] = four.y;
                tile_a[a_column + 2][a_row + i] = four.z;
                tile_a[a_column + 3][a_row + i] = four.w;
            }
            for (unsigned i = 0; i < BK; i += 8)
                *(float4 *)&tile_b[b_row + i][b_column] =
                    *(const float4 *)(next_b + i * ldb);
            next_a += BK;
            next_b += BK * ldb;
            __syncthreads(); /* the tiles are complete */
            add_products(tile_a, tile_b, y, x, partial);
            __syncthreads(); /* nobody needs them any more */
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
                sum[l] = replace_overflow(sum[l], a + to_row * lda, 1, b + to_column + l,
                                          ldb, n);
            ((float4 *)c)[(to_row * ldc + to_column) / 4] = *(const float4 *)sum;
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
    const size_t sum_bytes = TM * TN * THREADS * sizeof(float);
    CUDA_CHECK(cudaFuncSetAttribute(
        matmult_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sum_bytes));
    matmult_kernel<<<dim3(tiles, tiles), THREADS, sum_bytes>>>(
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
