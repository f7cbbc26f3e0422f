/* 13_double_tensor - the product in double, on tensor cores: one instruction of a warp
 * multiplies 16 x 8 by 8 x 8 doubles and adds to its sums as fma does.
 *
 * New: mma.sync of f64, and the map of what each lane holds. No partial sums: each sum is
 * a double and rounded once, so it has the bits of 01. Three stages of 32 k.
 * Launch: 64 x 64 elements of C in a block of 4 warps of 32 x 32, 54 KB of shared memory.
 * Reads: 2 n^3 / 64 floats of global memory, with n padded to 64 rows and columns.
 * Chapter: docs/13_double_tensor.md
 * Run: make 13_double_tensor && ./13_double_tensor/run */
#include "cuda_check.h"
#include "double_tensor.h"
#include "matmult.h"
#include "timing.h"

enum {
    BM = 64,    /* rows of C in a block */
    BN = 64,    /* columns of C in a block */
    BK = 32,    /* columns of A's tile, rows of B's */
    WM = 32,    /* rows of C in a warp */
    WN = 32,    /* columns of C in a warp */
    STAGES = 3, /* one in use, two on their way */
    THREADS = BM / WM * (BN / WN) * 32,
    GROUP = 8 /* rows of tiles: blocks that run together share rows and columns */
};
typedef double_stage<BM, BN, BK> stage;

static __global__ void __launch_bounds__(THREADS, 3) /* three blocks on an SM */
    matmult_kernel(const float *a, size_t lda, const float *b, size_t ldb, float *c,
                   size_t ldc, unsigned n) {
    extern __shared__ float4 stages[];
    /* Tiles in the order of groups of rows, then columns, then rows within the group. */
    const unsigned columns = n / BN, place = blockIdx.x % (GROUP * columns),
                   first = blockIdx.x / (GROUP * columns) * GROUP,
                   rows = min(GROUP, n / BM - first);
    const size_t row = (size_t)(first + place % rows) * BM,
                 column = (size_t)(place / rows) * BN;
    multiply_tile<WM, WN, STAGES>((stage *)stages, a + row * lda, lda, b + column, ldb,
                                  c + row * ldc + column, ldc, n);
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
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));

    kernel_timer timer = start_kernel_timer();
    const unsigned tiles = (unsigned)(padded / BN);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    STAGES * sizeof(stage)));
    matmult_kernel<<<tiles * tiles, THREADS, STAGES * sizeof(stage)>>>(
        device_a, pitch_a / sizeof(float), device_b, pitch_b / sizeof(float), device_c,
        pitch_c / sizeof(float), (unsigned)padded);
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
