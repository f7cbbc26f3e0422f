/* 15_tensor_core - the sums of step 14 on tensor cores: one instruction of a warp
 * multiplies 16 x 32 by 32 x 8 slices.
 *
 * New: multiply_add (mma.h), which is mma.sync, and the map of what each lane holds.
 * Launch: 256 threads for each 64 x 64 elements of C; of the 8 warps, 4 x 2, each has
 * 16 x 32 elements. Reads: 6 n^3 / 64 bytes of slices.
 * Chapter: docs/15_tensor_core.md
 * Run: make 15_tensor_core && ./15_tensor_core/run */
#include "mma.h"

enum {
    BM = 64,      /* rows of C in a block; as many columns */
    BK = 64,      /* k in a block's tiles of slices */
    WM = 16,      /* rows of C in a warp */
    WN = 32,      /* columns of C in a warp */
    THREADS = 256 /* in a block */
};

/* Slices of BM rows or columns, four in a word; + 4: for fewer bank conflicts. */
typedef int slice_tile[BM][SLICES][BK / 4 + 4];

static __device__ void copy_tile(slice_tile tile, const signed char *from, size_t n) {
    for (unsigned i = threadIdx.x; i < BM * SLICES * (BK / 16); i += THREADS) {
        const unsigned j = i / (BK / 16), k = i % (BK / 16) * 16;
        *(int4 *)&tile[j / SLICES][j % SLICES][k / 4] = *(const int4 *)&from[j * n + k];
    }
}

static __global__ void __launch_bounds__(THREADS)
    matmult_kernel(const sliced_operands o) {
    __shared__ __align__(16) slice_tile tile_a, tile_b;
    const size_t row = (size_t)blockIdx.y * BM, column = (size_t)blockIdx.x * BM;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned x = warp % (BM / WN) * WN, y = warp / (BM / WN) * WM + lane / 4;
    int sum[SLICES][4][4] = {}; /* the accumulators */
    for (size_t k = 0; k < o.n; k += BK) {
        copy_tile(tile_a, o.a + plain_layout::offset(row, 0, k, o.n), o.n);
        copy_tile(tile_b, o.b + plain_layout::offset(column, 0, k, o.n), o.n);
        __syncthreads(); /* the tiles are complete */
        for (unsigned l = lane % 4; l < BK / 4; l += 8) {
            int a[SLICES][4];
            for (int d = 0; d < SLICES; d++)
                for (int i = 0; i < 4; i++)
                    a[d][i] = tile_a[y + i % 2 * 8][d][l + i / 2 * 4];
            for (int j = 0; j < 4; j++)
                for (int e = 0; e < SLICES; e++) {
                    const int *word = &tile_b[x + 8 * j + lane / 4][e][l];
                    const int b[] = {word[0], word[4]};
                    for (int d = 0; d + e < SLICES; d++)
                        multiply_add(sum[d + e][j], a[d], b);
                }
        }
        __syncthreads(); /* nobody needs them any more */
    }
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++) {
            const size_t to_row = row + y + i / 2 * 8,
                         to_column = column + x + 8 * j + lane % 4 * 2 + i % 2;
            o.c[to_row * o.n + to_column] =
                dequantize(sum[0][j][i], sum[1][j][i], sum[2][j][i], o.scale_a[to_row],
                           o.scale_b[to_column]);
        }
}

static void multiply(const sliced_operands &o) {
    const unsigned tiles = (unsigned)o.n / BM;
    matmult_kernel<<<dim3(tiles, tiles), THREADS>>>(o);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<plain_layout>(a, lda, b, ldb, c, ldc, n, multiply);
}
