/* wanted_columns.h - computes the columns of a strip that want it in double.
 * Chapter: docs/83_shares.md */
#ifndef WANTED_COLUMNS_H
#define WANTED_COLUMNS_H
#include "double_kernel.h"

/* Whether the bound of the first pass is within 1e-6 of an element, as it is in C. A
 * value that may have lost bits counts as 0. */
static __device__ bool is_good(const product &p, size_t row, size_t column) {
    const vector_info &left = p.rows[row], &right = p.columns[column];
    const float value = fabsf(p.c[row * p.n + column]),
                sum = value < 0x1p-126f ? 0 : (float)(value / (left.unit * right.unit));
    return !must_repeat(value) && is_within(error_bound(left, right), 65536 * sum);
}

/* Computes a strip in double, with the sums of 01. A warp has 2 x 16 columns, and leaves
 * them if all are good; a thread has TM rows of TN columns. */
static __device__ void compute_wanted(const product &p, unsigned strip) {
    __shared__ __align__(16) double tiles_a[2][DEPTH][STRIP + 2]; /* fewer conflicts */
    const unsigned lane = threadIdx.x % 32, y = lane / 16 * TM;
    const size_t down = p.n / STRIP, row = strip % down * STRIP,
                 column = strip / down * TILE + threadIdx.x / 32 * 16 + lane % 16;
    bool wanted = false;
    for (int i = 0; i < TM * TN; i++)
        wanted |= !is_good(p, row + y + i / TN, column + i % TN * (TILE / TN));
    wanted = __any_sync(~0u, wanted);
    double sum[TM][TN] = {};
    float next_a[LOADS_A], next_b[DEPTH][TN]; /* in flight */
    load_tiles(p, row, column, 0, next_a, next_b);
    for (size_t k = 0; k < p.n; k += DEPTH) {
        double(*tile_a)[STRIP + 2] = tiles_a[k / DEPTH % 2], b[DEPTH][TN];
#pragma unroll
        for (unsigned i = 0; i < LOADS_A; i++) {
            const unsigned j = threadIdx.x + i * STRIP_THREADS;
            tile_a[j % DEPTH][j / DEPTH] = next_a[i];
        }
#pragma unroll
        for (int i = 0; i < DEPTH * TN; i++)
            b[i / TN][i % TN] = next_b[i / TN][i % TN];
        __syncthreads(); /* the tile of A is complete */
        load_tiles(p, row, column, min(k + DEPTH, p.n - DEPTH), next_a, next_b);
        __syncwarp(); /* or the compiler moves the loads to where they are needed */
        if (wanted)
#pragma unroll
            for (int l = 0; l < DEPTH; l++)
#pragma unroll
                for (int i = 0; i < TM * TN; i++)
                    sum[i / TN][i % TN] =
                        fma(tile_a[l][y + i / TN], b[l][i % TN], sum[i / TN][i % TN]);
    }
#pragma unroll
    for (int i = 0; i < TM * TN && wanted; i++)
        p.c[(row + y + i / TN) * p.n + column + i % TN * (TILE / TN)] = (float)sum[i / TN][i % TN];
    if (threadIdx.x == 0)
        atomicAdd(p.again, 1);
}
#endif
