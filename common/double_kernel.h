/* double_kernel.h - computes strips in double. Chapter: docs/25_error_bound.md */
#ifndef DOUBLE_KERNEL_H
#define DOUBLE_KERNEL_H
#include "strips.h"

enum {
    DEPTH = 16, /* k in a tile of double_kernel */
    TM = 8,     /* rows of a thread there */
    TN = 2,     /* columns of it */
    STRIP_THREADS = STRIP / TM * (TILE / TN),
    LOADS_A = STRIP * DEPTH / STRIP_THREADS /* of a tile of A, by a thread */
};

/* Loads what a thread has of the tiles at k: of A, elements of the strip's rows; of B, its
 * columns. */
static __device__ void load_tiles(const product &p, size_t row, size_t column, size_t k,
                                  float (&a)[LOADS_A], float (&b)[DEPTH][TN]) {
#pragma unroll
    for (unsigned i = 0; i < LOADS_A; i++) {
        const unsigned j = threadIdx.x + i * STRIP_THREADS;
        a[i] = p.a[(row + j / DEPTH) * p.n + k + j % DEPTH];
    }
#pragma unroll
    for (int i = 0; i < DEPTH * TN; i++)
        b[i / TN][i % TN] = p.b[(k + i / TN) * p.n + column + i % TN * (TILE / TN)];
}

/* Computes a strip in double, if its flag is set, with the sums of 01. A thread has TM
 * rows of TN columns. */
[[maybe_unused]] static __global__ void __launch_bounds__(STRIP_THREADS)
    double_kernel(const product p, const strips marked) {
    __shared__ __align__(16) double tiles_a[2][DEPTH][STRIP + 2]; /* fewer conflicts */
    if (!(marked.flags[blockIdx.x] & IN_DOUBLE))
        return;
    const size_t down = p.n / STRIP, row = blockIdx.x % down * STRIP,
                 column = blockIdx.x / down * TILE + threadIdx.x % (TILE / TN);
    const unsigned y = threadIdx.x / (TILE / TN) * TM;
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
#pragma unroll
        for (int l = 0; l < DEPTH; l++)
#pragma unroll
            for (int i = 0; i < TM * TN; i++)
                sum[i / TN][i % TN] = fma(tile_a[l][y + i / TN], b[l][i % TN], sum[i / TN][i % TN]);
    }
#pragma unroll
    for (int i = 0; i < TM * TN; i++)
        p.c[(row + y + i / TN) * p.n + column + i % TN * (TILE / TN)] = (float)sum[i / TN][i % TN];
    if (threadIdx.x == 0)
        atomicAdd(p.again, 1);
}
#endif
