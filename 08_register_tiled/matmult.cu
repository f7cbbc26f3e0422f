/* 08_register_tiled - step 07 with 8 x 8 elements of C in the registers of each thread, and the sum in two levels.
 *
 * Launch: a block of 256 threads for each tile of 128 x 128 elements of C (64 x 128 where n is too small to give every
 * multiprocessor a tile). A float in shared memory is used 8 times once it is in a register; global memory is read
 * 2 n^3 / 128 times, four floats at a time. Chapter: docs/08_register_tiled.md
 *
 * The sum: 32 products in a plain float (the chunk), then one compensated addition. */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"

enum {
    THREADS = 256,
    CHUNK = 32,             /* columns of A and rows of B in shared memory at a time; products in a plain float sum */
    COLUMNS = 8,            /* of C in a thread: two float4 */
    TILE_COLUMNS = 128,     /* of C in a block: 2 warps x 8 lanes x 8 columns; its rows: 4 warps x 4 lanes x ROWS */
    LARGEST_TILE = 128,     /* the matrices on the device are rounded up to a multiple of this */
    STRIDE_A = CHUNK + 4    /* four rows of tile_a that a warp reads together lie in different banks */
};

/* One element as 01 computes it, for sums that left the range of float or met an infinity. */
static __device__ float inDouble(const float *a_row, const float *b_column, size_t ldb, size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += (double)a_row[k] * (double)b_column[k * ldb];
    return (float)sum;
}

template <int ROWS> /* of C in a thread: 8 or 4 */
static __global__ void __launch_bounds__(THREADS)
    matmultKernel(const float *a, size_t lda, const float *b, size_t ldb, float *c, size_t ldc, size_t n) {
    const int TILE_ROWS = 16 * ROWS;
    __shared__ __align__(16) float tile_a[TILE_ROWS][STRIDE_A], tile_b[CHUNK][TILE_COLUMNS];
    unsigned thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    unsigned first_row = warp / 2 * (4 * ROWS) + lane / 8;     /* this thread's rows in the tile: every fourth */
    unsigned first_column = warp % 2 * 64 + lane % 8 * 4;      /* its columns: four here, and four 32 further right */
    const float *a_tile = a + (size_t)blockIdx.y * TILE_ROWS * lda, *b_tile = b + (size_t)blockIdx.x * TILE_COLUMNS;

    float4 next_a[ROWS / 2], next_b[CHUNK / 8]; /* the next tiles, on their way from global memory */
    float sum[ROWS][COLUMNS] = {}, chunk[ROWS][COLUMNS] = {};
    for (int i = 0; i < ROWS / 2; i++)
        next_a[i] = *(const float4 *)&a_tile[(thread / 8 + 32 * i) * lda + thread % 8 * 4];
    for (int i = 0; i < CHUNK / 8; i++)
        next_b[i] = *(const float4 *)&b_tile[(thread / 32 + 8 * i) * ldb + thread % 32 * 4];
    for (size_t k = 0; k < n; k += CHUNK) {
        for (int i = 0; i < ROWS / 2; i++)
            *(float4 *)&tile_a[thread / 8 + 32 * i][thread % 8 * 4] = next_a[i];
        for (int i = 0; i < CHUNK / 8; i++)
            *(float4 *)&tile_b[thread / 32 + 8 * i][thread % 32 * 4] = next_b[i];
        __syncthreads(); /* the tiles are complete */
        if (k + CHUNK < n) {
            for (int i = 0; i < ROWS / 2; i++)
                next_a[i] = *(const float4 *)&a_tile[(thread / 8 + 32 * i) * lda + (k + CHUNK + thread % 8 * 4)];
            for (int i = 0; i < CHUNK / 8; i++)
                next_b[i] = *(const float4 *)&b_tile[(k + CHUNK + thread / 32 + 8 * i) * ldb + thread % 32 * 4];
        }
        for (int i = 0; i < CHUNK; i += 4) {
            float4 part_a[ROWS]; /* four columns of A's tile */
            for (int row = 0; row < ROWS; row++)
                part_a[row] = *(const float4 *)&tile_a[first_row + 4 * row][i];
            for (int step = 0; step < 4; step++) {
                float4 left = *(const float4 *)&tile_b[i + step][first_column];
                float4 right = *(const float4 *)&tile_b[i + step][first_column + 32];
                float part_b[COLUMNS] = {left.x, left.y, left.z, left.w, right.x, right.y, right.z, right.w};
                for (int row = 0; row < ROWS; row++) {
                    float4 v = part_a[row];
                    float factor = step == 0 ? v.x : step == 1 ? v.y : step == 2 ? v.z : v.w;
                    for (int column = 0; column < COLUMNS; column++)
                        chunk[row][column] = fmaf(factor, part_b[column], chunk[row][column]);
                }
            }
        }
        /* Kahan's sum, of chunks: what the addition loses is where the next chunk starts. */
        for (int row = 0; row < ROWS; row++)
            for (int column = 0; column < COLUMNS; column++) {
                float next = sum[row][column] + chunk[row][column];
                chunk[row][column] -= next - sum[row][column];
                sum[row][column] = next;
            }
        __syncthreads(); /* nobody needs the tiles any more */
    }

    bool finite = true;
    size_t y = (size_t)blockIdx.y * TILE_ROWS + first_row, x = (size_t)blockIdx.x * TILE_COLUMNS + first_column;
    for (int row = 0; row < ROWS; row++) {
        float *s = sum[row];
        *(float4 *)&c[(y + 4 * row) * ldc + x] = make_float4(s[0], s[1], s[2], s[3]);
        *(float4 *)&c[(y + 4 * row) * ldc + x + 32] = make_float4(s[4], s[5], s[6], s[7]);
        for (int column = 0; column < COLUMNS; column++)
            finite = finite && isfinite(s[column]);
    }
    if (!finite) /* Kahan's sum makes NaN of an infinity: look again */
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            size_t row = y + i / COLUMNS * 4, column = x + i % 4 + i % COLUMNS / 4 * 32;
            if (row < n && column < n && !isfinite(c[row * ldc + column]))
                c[row * ldc + column] = inDouble(a + row * lda, b + column, ldb, n);
        }
}

matmult_time matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int n) {
    matmult_time time = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    double start = wall_seconds();

    float *device_a, *device_b, *device_c;
    size_t padded = ((size_t)n + LARGEST_TILE - 1) / LARGEST_TILE * LARGEST_TILE; /* rows and columns */
    size_t pitch_a, pitch_b, pitch_c;                     /* bytes from one row to the next */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMemset(device_a, 0, pitch_a * padded));
    CUDA_CHECK(cudaMemset(device_b, 0, pitch_b * padded));
    CUDA_CHECK(
        cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes, (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes, (size_t)n, cudaMemcpyHostToDevice));

    kernel_timer timer = kernel_timer_start();
    unsigned tiles = (unsigned)(padded / LARGEST_TILE);
    int multiprocessors;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    if (tiles * tiles >= (unsigned)multiprocessors)
        matmultKernel<8><<<dim3(tiles, tiles), THREADS>>>(device_a, pitch_a / sizeof(float), device_b,
                                                          pitch_b / sizeof(float), device_c, pitch_c / sizeof(float), n);
    else
        matmultKernel<4><<<dim3(tiles, 2 * tiles), THREADS>>>(device_a, pitch_a / sizeof(float), device_b,
                                                              pitch_b / sizeof(float), device_c,
                                                              pitch_c / sizeof(float), n);
    CUDA_CHECK(cudaGetLastError());
    time.kernel = kernel_timer_stop(&timer);

    CUDA_CHECK(
        cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, pitch_c, row_bytes, (size_t)n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    time.total = wall_seconds() - start;
    return time;
}
