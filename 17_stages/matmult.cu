/* 17_stages - slices are copied asynchronously, two stages ahead of the tensor cores, so
 * that these need not wait.
 *
 * New: three stages in dynamic shared memory; a swizzle (swizzle.h) instead of padding,
 * so that two blocks fit on an SM.
 * Launch: 128 threads and 108 KB of shared memory for each 128 x 64 elements of C.
 * Reads: 9 n^3 / 128 bytes of slices.
 * Chapter: docs/17_stages.md
 * Run: make 17_stages && ./17_stages/run */
#include "../15_tensor_core/mma.h"
#include "../16_warp_tiles/ldmatrix.h"
#include "swizzle.h"
#include <cuda_pipeline.h>

enum {
    BM = 128,          /* rows of C in a block */
    BN = 64,           /* columns of C in a block */
    STAGES = 3,        /* one in use, two being filled */
    WM = 64,           /* rows of C in a warp */
    WN = 32,           /* columns of C in a warp */
    ACCUMULATORS = 64, /* of a kind in a thread */
    THREADS = 128      /* in a block */
};

/* Slices of BM rows and BN columns. */
typedef struct stage {
    signed char a[SLICES][BM][BK], b[SLICES][BN][BK];
} stage;

/* Starts to copy BK slices of each row or column. */
template <int ROWS>
static __device__ void copy_tile(signed char (*tile)[ROWS][BK], const signed char *from,
                                 size_t n) {
    const unsigned first = threadIdx.x / 4, segment = threadIdx.x % 4;
    for (unsigned i = first; i < first + ROWS; i += THREADS / 4)
        for (unsigned d = 0; d < SLICES; d++)
            __pipeline_memcpy_async(&tile[d][i][swizzle(i, segment)],
                                    &from[(i * SLICES + d) * n + 16 * segment], 16);
}

static __global__ void __launch_bounds__(THREADS)
    matmult_kernel(const sliced_operands o) {
    extern __shared__ __align__(128) signed char memory[];
    stage *const stages = (stage *)memory;
    const size_t row = (size_t)blockIdx.y * BM, column = (size_t)blockIdx.x * BN;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned x = warp % (BN / WN) * WN, y = warp / (BN / WN) * WM;
    const unsigned tiles = (unsigned)o.n / BK; /* along k */
    int sum[SLICES][ACCUMULATORS] = {};
    const signed char *from_a = o.a + plain_layout::offset(row, 0, 0, o.n),
                      *from_b = o.b + plain_layout::offset(column, 0, 0, o.n);
    for (unsigned i = 0; i < STAGES - 1; i++) {
        copy_tile(stages[i].a, from_a + i * BK, o.n);
        copy_tile(stages[i].b, from_b + i * BK, o.n);
        __pipeline_commit();
    }
    for (unsigned k = 0; k < tiles; k++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); /* stage k is complete, and nobody needs k - 1 any more */
        const unsigned next = k + STAGES - 1;
        if (next < tiles) {
            copy_tile(stages[next % STAGES].a, from_a + next * BK, o.n);
            copy_tile(stages[next % STAGES].b, from_b + next * BK, o.n);
        }
        __pipeline_commit();
        const stage *tile = &stages[k % STAGES];
        for (unsigned l = 0; l < BK / 16; l += 2) {
            int a[SLICES][4], b[SLICES][WN / 8][2];
            for (int e = 0; e < SLICES; e++)
                for (int j = 0; j < WN / 8; j += 2) {
                    const unsigned i = x + 8 * j + lane / 16 * 8 + lane % 8;
                    load_matrices(b[e][j], &tile->b[e][i][swizzle(i, l + lane / 8 % 2)]);
                }
            for (int i = 0; i < WM / 16; i++) {
                const unsigned j = y + 16 * i + lane % 16;
                for (int d = 0; d < SLICES; d++)
                    load_matrices(a[d], &tile->a[d][j][swizzle(j, l + lane / 16)]);
                for (int d = 0; d < SLICES; d++)
                    for (int e = 0; d + e < SLICES; e++)
                        for (int j = 0; j < WN / 8; j++)
                            multiply_add(&sum[d + e][16 * i + 4 * j], a[d], b[e][j]);
            }
        }
    }
#pragma unroll /* for ptxas, which spills otherwise */
    for (int i = 0; i < SLICES * ACCUMULATORS; i++)
        asm volatile("" : "+r"(sum[i / ACCUMULATORS][i % ACCUMULATORS]));
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i++) {
        const size_t to_row = row + y + lane / 4 + i / 16 * 16 + i / 2 % 2 * 8,
                     to_column = column + x + lane % 4 * 2 + i / 4 % 4 * 8 + i % 2;
        o.c[to_row * o.n + to_column] = dequantize(
            sum[0][i], sum[1][i], sum[2][i], o.scale_a[to_row], o.scale_b[to_column]);
    }
}

static void multiply(const sliced_operands &o) {
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    matmult_kernel<<<dim3((unsigned)o.n / BN, (unsigned)o.n / BM), THREADS, bytes>>>(o);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<plain_layout>(a, lda, b, ldb, c, ldc, n, multiply);
}
