/* 53_overlapped - step 12 for the time that the user waits: while the device multiplies
 * some rows of A, others are on their way to it, and rows of C on their way back.
 *
 * New: three streams, for the ways up and down and for the product, which takes A in
 * panels of rows. Threads of the host bring the rows to pinned memory and back
 * (staging.h). Memory, streams and threads are kept for later calls (workspace.h).
 * Launch and reads: as 12, for a panel at a time.
 * Chapter: docs/53_overlapped.md
 * Run: make 53_overlapped && ./53_overlapped/run */
#include "../08_blocked_sum/replace_overflow.h"
#include "../12_async_copy/transpose.h"
#include "cuda_check.h"
#include "matmult.h"
#include "staging.h"
#include "timing.h"
#include "workspace.h"
#include <cuda_pipeline.h>

enum {
    THREADS = 256, /* in a block: 8 warps, 2 side by side */
    TN = 8,        /* columns of C in a thread; its rows are TM, 8 or 4 */
    BN = 128,      /* columns of C in a block; its rows are BM = 16 TM */
    BK = 16,       /* columns of A's tile, rows of B's */
    FIRST = 128,   /* products in the first partial sum */
    LENGTH = 192,  /* and in each of the others */
    PANEL = 512    /* tiles of C in a panel, where it has so many */
};

/* A thread's sums, by fours: find_sums(i, j) points to those of row i, column j on. */
extern __shared__ float4 all_sums[];
static __device__ float4 *find_sums(int i, int j) {
    return &all_sums[(i * TN + j) / 4 * THREADS + threadIdx.x];
}

template <int TM> static __device__ void add_partial_sums(float (*partial)[TN]) {
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
template <int TM>
static __device__ __forceinline__ void add_products(const float (*tile_a)[16 * TM],
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
template <int WIDTH>
static __device__ void copy_tile(float (*tile)[WIDTH], const float *from, size_t pitch) {
    const unsigned row = threadIdx.x / (WIDTH / 4);
    const unsigned column = threadIdx.x % (WIDTH / 4) * 4;
    for (unsigned i = 0; i < BK; i += THREADS / (WIDTH / 4))
        __pipeline_memcpy_async(&tile[row + i][column], from + i * pitch, sizeof(float4));
}

/* A thread's rows and columns come by fours, 16 rows and 32 columns apart. */
template <int TM>
static __global__ void __launch_bounds__(THREADS, 2) /* two blocks on an SM */
    matmult_kernel(const float *a, size_t lda, const float *b, size_t ldb, float *c,
                   size_t ldc, unsigned n) {
    const unsigned BM = 16 * TM;
    __shared__ __align__(16) float tile_a[2][BK][BM], tile_b[2][BK][BN];
    const unsigned thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    /* Neighbouring lanes share a row, every second pair a column: so loads merge. */
    const unsigned lane_x = (lane & 1) | (lane >> 1 & 6),
                   lane_y = (lane >> 1 & 1) | (lane >> 3 & 2);
    const unsigned x = warp % 2 * 64 + lane_x * 4, y = warp / 2 * 4 * TM + lane_y * 4;
    const float *next_a =
        a + thread / (BM / 4) * lda + (size_t)blockIdx.y * BM + thread % (BM / 4) * 4;
    const float *next_b =
        b + thread / (BN / 4) * ldb + (size_t)blockIdx.x * BN + thread % (BN / 4) * 4;
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
                add_products<TM>(tile_a[stage], tile_b[stage], y, x, partial);
            }
        add_partial_sums<TM>(partial);
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

/* Some rows of C = A B on the device, counted in tiles of BN; a is transposed. */
template <int TM>
static void multiply(const float *a, const float *b, float *c, size_t pitch, size_t n,
                     unsigned rows, cudaStream_t stream) {
    const size_t sum_bytes = TM * TN * THREADS * sizeof(float);
    CUDA_CHECK(cudaFuncSetAttribute(
        matmult_kernel<TM>, cudaFuncAttributeMaxDynamicSharedMemorySize, sum_bytes));
    matmult_kernel<TM>
        <<<dim3(pitch / BN, rows * BN / (16 * TM)), THREADS, sum_bytes, stream>>>(
            a, pitch, b, pitch, c, pitch, n);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    int sm_count; /* SMs of the device */
    CUDA_CHECK(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, 0));
    double start = wall_seconds();
    size_t padded = ((size_t)n + BN - 1) / BN * BN; /* rows and columns */
    size_t pitch = padded * sizeof(float);          /* bytes from one row to the next */
    const workspace *w = get_workspace(4 * padded * pitch);
    const size_t size = padded * padded, end = (size_t)n * padded;
    float *device_a = w->memory, *device_b = device_a + size, *device_c = device_b + size,
          *transposed = device_c + size;
    CUDA_CHECK(cudaMemsetAsync(device_a + end, 0, (size - end) * sizeof(float), w->up));
    CUDA_CHECK(cudaMemsetAsync(device_b + end, 0, (size - end) * sizeof(float), w->up));
    staged_copy(device_b, pitch, b, (size_t)ldb * sizeof(float), row_bytes, (size_t)n,
                cudaMemcpyHostToDevice, w->up);

    unsigned tiles = (unsigned)(padded / BN);
    unsigned panel_tiles = min((PANEL + tiles - 1) / tiles, (tiles + 1) / 2);
    size_t panel = (size_t)panel_tiles * BN, rows = 0;
    kernel_timer timers[2]; /* of a panel and of the one before it */
    for (size_t row = 0, i = 0; row < (size_t)n + panel; row += panel, i++) {
        const size_t rows_before = rows;
        if (row < (size_t)n) {
            rows = row + panel < (size_t)n ? panel : (size_t)n - row;
            unsigned row_tiles = (unsigned)((rows + BN - 1) / BN);
            staged_copy(device_a + row * padded, pitch, a + row * (size_t)lda,
                        (size_t)lda * sizeof(float), row_bytes, rows,
                        cudaMemcpyHostToDevice, w->up);
            CUDA_CHECK(cudaEventRecord(w->sent, w->up));
            CUDA_CHECK(cudaStreamWaitEvent(w->product, w->sent, 0));
            timers[i % 2] = begin_kernel_timer(w->product);
            transpose_kernel<<<dim3(tiles * BN / SIDE, row_tiles * BN / SIDE),
                               dim3(SIDE, 8), 0, w->product>>>(
                device_a + row * padded, padded, transposed + row, padded);
            CUDA_CHECK(cudaGetLastError());
            (tiles * panel_tiles < (unsigned)sm_count
                 ? multiply<4>
                 : multiply<8>)(transposed + row, device_b, device_c + row * padded,
                                padded, (size_t)n, row_tiles, w->product);
            end_kernel_timer(&timers[i % 2], w->product);
        }
        if (row > 0) { /* the panel before is on its way back */
            CUDA_CHECK(cudaStreamWaitEvent(w->down, timers[(i + 1) % 2].stop, 0));
            staged_copy(c + (row - panel) * (size_t)ldc, (size_t)ldc * sizeof(float),
                        device_c + (row - panel) * padded, pitch, row_bytes, rows_before,
                        cudaMemcpyDeviceToHost, w->down);
            result.kernel += read_kernel_timer(&timers[(i + 1) % 2]);
        }
    }
    finish_staged_copies();
    result.total = wall_seconds() - start;
    return result;
}
