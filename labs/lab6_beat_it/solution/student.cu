/* lab6 - a block computes a 64 x 64 tile of C, each of its 64 threads 8 x 8 elements of
 * it, in registers; and the copies go on while it does.
 *
 * Step 06 reads two floats of shared memory for each product; here four reads of four
 * floats serve 64 products. Kahan's four operations come once in PARTIAL products: these
 * go into a partial sum, which is then added with compensation. On a GPU most of the time
 * is the copies': A comes in panels of rows, and while one is copied the products of the
 * one before are made. */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"

enum {
    THREADS = 8,     /* along each side of a block */
    TILE = 64,       /* rows and columns of C in a block */
    HALF = TILE / 2, /* a thread has four rows in each half of them, and four columns */
    EACH = 8,        /* rows and columns of C in a thread */
    DEPTH = 16,      /* columns of A's tile, rows of B's */
    PARTIAL = 4 * DEPTH, /* products in a partial sum */
    PANELS = 4           /* of A and C, at most */
};

/* Of matrices whose rows and columns are padded with zeros to whole tiles. */
static __global__ void __launch_bounds__(THREADS *THREADS)
    matmult_kernel(const float *a, size_t lda, const float *b, size_t ldb, float *c,
                   size_t ldc, size_t n) {
    /* A's is transposed, so that four rows are read at once: + 4 against bank conflicts
     */
    __shared__ __align__(16) float tile_a[DEPTH][TILE + 4], tile_b[DEPTH][TILE];
    const unsigned x = threadIdx.x * 4, y = threadIdx.y * 4;
    const unsigned thread = threadIdx.y * THREADS + threadIdx.x;
    /* What a thread loads: four floats of some rows. */
    const unsigned a_row = thread / 4, a_column = thread % 4 * 4;
    const unsigned b_row = thread / 16, b_column = thread % 16 * 4;
    a += ((size_t)blockIdx.y * TILE + a_row) * lda + a_column;
    b += b_row * ldb + (size_t)blockIdx.x * TILE + b_column;
    float sum[EACH][EACH] = {}, partial[EACH][EACH] = {};
    for (size_t k = 0; k < n; k += DEPTH) {
        for (unsigned i = 0; i < TILE; i += 16) {
            float4 four = *(const float4 *)(a + i * lda + k);
            tile_a[a_column][a_row + i] = four.x;
            tile_a[a_column + 1][a_row + i] = four.y;
            tile_a[a_column + 2][a_row + i] = four.z;
            tile_a[a_column + 3][a_row + i] = four.w;
        }
        for (unsigned i = 0; i < DEPTH; i += 4)
            *(float4 *)&tile_b[b_row + i][b_column] =
                *(const float4 *)(b + (k + i) * ldb);
        __syncthreads(); /* the tiles are complete */
#pragma unroll
        for (unsigned p = 0; p < DEPTH; p++) {
            __align__(16) float part_a[EACH], part_b[EACH];
            for (unsigned i = 0; i < 2; i++) {
                *(float4 *)&part_a[4 * i] = *(const float4 *)&tile_a[p][y + i * HALF];
                *(float4 *)&part_b[4 * i] = *(const float4 *)&tile_b[p][x + i * HALF];
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
    c += ((size_t)blockIdx.y * TILE + y) * ldc + (size_t)blockIdx.x * TILE + x;
    for (unsigned i = 0; i < EACH; i++)
        for (unsigned j = 0; j < EACH; j += 4)
            *(float4 *)(c + (i % 4 + i / 4 * HALF) * ldc + j / 4 * HALF) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t rows = (size_t)n, row_bytes = rows * sizeof(float);
    size_t tiles = (rows + TILE - 1) / TILE, padded = tiles * TILE;
    size_t panel = (tiles + PANELS - 1) / PANELS * TILE; /* rows */
    double start = wall_seconds();

    float *device_a, *device_b, *device_c;
    size_t pitch; /* bytes from one row to the next */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch, padded * sizeof(float), padded));
    size_t stride = pitch / sizeof(float);
    /* Neither stream waits for the other but where it is told to. */
    cudaStream_t copies, products;
    cudaEvent_t sent;
    CUDA_CHECK(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamCreateWithFlags(&products, cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&sent, cudaEventDisableTiming));

    CUDA_CHECK(cudaMemsetAsync(device_a, 0, pitch * padded, copies));
    CUDA_CHECK(cudaMemsetAsync(device_b, 0, pitch * padded, copies));
    CUDA_CHECK(cudaMemcpy2DAsync(device_b, pitch, b, (size_t)ldb * sizeof(float),
                                 row_bytes, rows, cudaMemcpyHostToDevice, copies));
    kernel_timer timers[PANELS]; /* each ends with an event: its panel of C is made */
    for (size_t row = 0, i = 0; row < rows; row += panel, i++) {
        size_t some = row + panel < rows ? panel : rows - row;
        CUDA_CHECK(cudaMemcpy2DAsync(device_a + row * stride, pitch,
                                     a + row * (size_t)lda, (size_t)lda * sizeof(float),
                                     row_bytes, some, cudaMemcpyHostToDevice, copies));
        CUDA_CHECK(cudaEventRecord(sent, copies));
        CUDA_CHECK(cudaStreamWaitEvent(products, sent, 0));
        dim3 grid((unsigned)tiles, (unsigned)((some + TILE - 1) / TILE));
        timers[i] = begin_kernel_timer(products);
        matmult_kernel<<<grid, dim3(THREADS, THREADS), 0, products>>>(
            device_a + row * stride, stride, device_b, stride, device_c + row * stride,
            stride, rows);
        CUDA_CHECK(cudaGetLastError());
        end_kernel_timer(&timers[i], products);
    }
    for (size_t row = 0, i = 0; row < rows; row += panel, i++) {
        size_t some = row + panel < rows ? panel : rows - row;
        CUDA_CHECK(cudaStreamWaitEvent(copies, timers[i].stop, 0));
        CUDA_CHECK(cudaMemcpy2DAsync(c + row * (size_t)ldc, (size_t)ldc * sizeof(float),
                                     device_c + row * stride, pitch, row_bytes, some,
                                     cudaMemcpyDeviceToHost, copies));
        result.kernel += read_kernel_timer(&timers[i]);
    }
    CUDA_CHECK(cudaStreamSynchronize(copies));
    CUDA_CHECK(cudaEventDestroy(sent));
    CUDA_CHECK(cudaStreamDestroy(copies));
    CUDA_CHECK(cudaStreamDestroy(products));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    result.total = wall_seconds() - start;
    return result;
}
