/* double_tensor.h - a block's tile of C = A B in double, on tensor cores (PTX: mma.sync
 * of f64): BM x BN elements by warps of WM x WN. Each sum is a chain of fused
 * multiply-adds in the order of k. A and B are padded with zeros to whole tiles, and
 * aligned to 16 bytes. Chapter: docs/13_double_tensor.md */
#ifndef DOUBLE_TENSOR_H
#define DOUBLE_TENSOR_H
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

/* Tiles of A and B in shared memory, floats. Of a a warp reads 8 rows x 4 columns at
 * once, of b 4 x 8: with rows of BK + 4 and BN + 8 words these are in 32 different banks.
 */
template <int BM, int BN, int BK> struct double_stage {
    float a[BM][BK + 4], b[BK][BN + 8];
};

/* Starts the copy of a tile of ROWS x COLUMNS floats, 16 bytes at a time. */
template <int ROWS, int COLUMNS, int THREADS, int PITCH>
static __device__ void copy_tile(float (*tile)[PITCH], const float *from, size_t ld) {
#pragma unroll
    for (unsigned i = 0; i < ROWS * COLUMNS / 4; i += THREADS) {
        const unsigned row = (i + threadIdx.x) / (COLUMNS / 4),
                       column = (i + threadIdx.x) % (COLUMNS / 4) * 4;
        if (ROWS * COLUMNS / 4 % THREADS == 0 || row < ROWS)
            __pipeline_memcpy_async(&tile[row][column], from + row * ld + column,
                                    sizeof(float4));
    }
}

/* Starts the copies of the tiles at k, if there are any, as one group. */
template <int THREADS, int BM, int BN, int BK>
static __device__ void copy_stage(double_stage<BM, BN, BK> *stage, const float *a,
                                  size_t lda, const float *b, size_t ldb, unsigned k,
                                  unsigned n) {
    if (k < n) {
        copy_tile<BM, BK, THREADS>(stage->a, a + k, lda);
        copy_tile<BK, BN, THREADS>(stage->b, b + k * ldb, ldb);
    }
    __pipeline_commit(); /* an empty group counts, too */
}

/* Adds 16 rows of A times 8 columns of B, 8 products each. With g = lane / 4, l = lane %
 * 4 a lane holds a[0], a[1]: rows g and g + 8 of A at k = l; a[2], a[3]: at k = l + 4;
 * b[0], b[1]: column g of B at the same k; sum: rows g and g + 8, columns 2 l and 2 l
 * + 1. */
static __device__ void multiply_add(double *sum, const double *a, const double *b) {
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

/* Adds the products of one stage to a warp's sums, from row y and column x of the tile
 * on. accumulator[i][j] has 16 rows from 16 i on and 8 columns from 8 j on. */
template <int WM, int WN, int BM, int BN, int BK>
static __device__ void multiply_stage(const double_stage<BM, BN, BK> *stage, unsigned y,
                                      unsigned x, double (*accumulator)[WN / 8][4]) {
    const unsigned g = threadIdx.x % 32 / 4, l = threadIdx.x % 4;
#pragma unroll
    for (unsigned k = l; k < BK + l; k += 8) {
        double fragment_a[WM / 16][4], fragment_b[WN / 8][2];
        for (int i = 0; i < WM / 16; i++)
            for (int e = 0; e < 4; e++) /* a float becomes a double here */
                fragment_a[i][e] = stage->a[y + 16 * i + g + e % 2 * 8][k + e / 2 * 4];
        for (int j = 0; j < WN / 8; j++)
            for (int e = 0; e < 2; e++)
                fragment_b[j][e] = stage->b[k + e * 4][x + 8 * j + g];
        for (int i = 0; i < WM / 16; i++)
            for (int j = 0; j < WN / 8; j++)
                multiply_add(accumulator[i][j], fragment_a[i], fragment_b[j]);
    }
}

/* The tile of C at c, of the rows at a and the columns at b, n products each: a multiple
 * of BK. The copies are STAGES - 1 tiles ahead of the products. */
template <int WM, int WN, int STAGES, int BM, int BN, int BK>
static __device__ void multiply_tile(double_stage<BM, BN, BK> *stages, const float *a,
                                     size_t lda, const float *b, size_t ldb, float *c,
                                     size_t ldc, unsigned n) {
    enum { THREADS = BM / WM * (BN / WN) * 32 };
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / (BN / WN) * WM, x = warp % (BN / WN) * WN;
    double accumulator[WM / 16][WN / 8][4] = {};
    for (unsigned i = 0; i < STAGES - 1; i++)
        copy_stage<THREADS>(&stages[i], a, lda, b, ldb, i * BK, n);
    for (unsigned k = 0, stage = 0; k < n; k += BK) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); /* this stage is complete, and the one before it is free */
        copy_stage<THREADS>(&stages[stage == 0 ? STAGES - 1 : stage - 1], a, lda, b, ldb,
                            k + (STAGES - 1) * BK, n);
        multiply_stage<WM, WN>(&stages[stage], y, x, accumulator);
        stage = stage == STAGES - 1 ? 0 : stage + 1;
    }
    for (int i = 0; i < WM / 16; i++)
        for (int j = 0; j < WN / 8; j++)
            for (int e = 0; e < 4; e++) {
                const unsigned row = y + 16 * i + lane / 4 + e / 2 * 8;
                const unsigned column = x + 8 * j + lane % 4 * 2 + e % 2;
                c[row * ldc + column] = (float)accumulator[i][j][e];
            }
}
#endif
