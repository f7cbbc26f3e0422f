/* 16_warp_tiles - a warp has 64 x 32 elements of C: what it loads, it uses four times
 * as often.
 *
 * New: WM x WN elements in a warp; load_matrices (ldmatrix.h), one instruction for the
 * four words that each lane of a warp needs.
 * Launch: 128 threads, 4 warps, for each 128 x 64 elements of C.
 * Reads: 9 n^3 / 128 bytes of slices.
 * Chapter: docs/16_warp_tiles.md
 * Run: make 16_warp_tiles && ./16_warp_tiles/run */
#include "../15_tensor_core/mma.h"
#include "ldmatrix.h"

enum {
    BM = 128,          /* rows of C in a block */
    BN = 64,           /* columns of C in a block */
    BK = 64,           /* k in a block's tiles of slices */
    WM = 64,           /* rows of C in a warp */
    WN = 32,           /* columns of C in a warp */
    ACCUMULATORS = 64, /* of a kind in a thread */
    THREADS = 128      /* in a block */
};

/* Copies BK slices of each row or column; + 16: loads have no bank conflicts. */
template <int ROWS>
static __device__ void copy_tile(signed char (*tile)[ROWS][BK + 16],
                                 const signed char *from, size_t n) {
    const unsigned first = threadIdx.x / 4, segment = threadIdx.x % 4;
    for (unsigned i = first; i < first + ROWS; i += THREADS / 4)
        for (unsigned d = 0; d < SLICES; d++)
            *(int4 *)&tile[d][i][16 * segment] =
                *(const int4 *)&from[(i * SLICES + d) * n + 16 * segment];
}

static __global__ void __launch_bounds__(THREADS)
    matmult_kernel(const sliced_operands o) {
    __shared__ __align__(16) signed char tile_a[SLICES][BM][BK + 16],
        tile_b[SLICES][BN][BK + 16];
    const size_t row = (size_t)blockIdx.y * BM, column = (size_t)blockIdx.x * BN;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned x = warp % (BN / WN) * WN, y = warp / (BN / WN) * WM;
    int sum[SLICES][ACCUMULATORS] = {};
    for (size_t k = 0; k < o.n; k += BK) {
        copy_tile(tile_a, o.a + plain_layout::offset(row, 0, k, o.n), o.n);
        copy_tile(tile_b, o.b + plain_layout::offset(column, 0, k, o.n), o.n);
        __syncthreads(); /* the tiles are complete */
        for (unsigned l = 0; l < BK / 16; l += 2) {
            int a[SLICES][4], b[SLICES][WN / 8][2];
            for (int e = 0; e < SLICES; e++)
                for (int j = 0; j < WN / 8; j += 2) {
                    const unsigned i = x + 8 * j + lane / 16 * 8 + lane % 8;
                    load_matrices(b[e][j], &tile_b[e][i][16 * (l + lane / 8 % 2)]);
                }
            for (int i = 0; i < WM / 16; i++) {
                const unsigned j = y + 16 * i + lane % 16;
                for (int d = 0; d < SLICES; d++)
                    load_matrices(a[d], &tile_a[d][j][16 * (l + lane / 16)]);
                for (int d = 0; d < SLICES; d++)
                    for (int e = 0; d + e < SLICES; e++)
                        for (int j = 0; j < WN / 8; j++)
                            multiply_add(&sum[d + e][16 * i + 4 * j], a[d], b[e][j]);
            }
        }
        __syncthreads(); /* nobody needs them any more */
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
    matmult_kernel<<<dim3((unsigned)o.n / BN, (unsigned)o.n / BM), THREADS>>>(o);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<plain_layout>(a, lda, b, ldb, c, ldc, n, multiply);
}
