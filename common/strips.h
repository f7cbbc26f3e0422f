/* strips.h - strips of 16 x 128 elements of C that are not done yet, and what computes them in
 * double. Chapter: docs/22_strips.md */
#ifndef STRIPS_H
#define STRIPS_H
#include "sliced_product.h"

enum {
    STRIP = 16, /* rows of a strip, which has a tile's columns */
    DEPTH = 16  /* k in double_kernel's tiles */
};

/* Which strips of C want something. */
typedef struct strips {
    unsigned char *flags;      /* of a tile, then of the next one across */
    unsigned *found;           /* in the host's memory: whether there is one */
    unsigned long long *count; /* how many there are */
} strips;

/* Sets the flag of a warp's strip in this tile, where one of its lanes wants it. Returns the flag.
 */
static __device__ int mark(const strips &s, const product &p, size_t row, size_t column,
                           int wanted) {
    const size_t tile = row / TILE * (p.n / TILE) + column / TILE;
    wanted = __any_sync(~0u, wanted);
    if (threadIdx.x % 32 == 0) {
        s.flags[tile * (TILE / STRIP) + threadIdx.x / 32] = (unsigned char)wanted;
        if (wanted) {
            *s.found = 1;
            atomicAdd(s.count, 1);
        }
    }
    return wanted;
}

/* Computes a strip in double, if its flag is set, with the sums of 01. A thread has 4 x 4
 * elements; the next tiles of A and B are on their way to its registers meanwhile. */
static __global__ void __launch_bounds__(TILE) double_kernel(const product p, const strips s) {
    __shared__ __align__(16) double tile_a[2][DEPTH][STRIP + 2], tile_b[2][DEPTH][TILE];
    if (!s.flags[blockIdx.x])
        return;
    const size_t tile = blockIdx.x / (TILE / STRIP), across = p.n / TILE;
    const size_t row = tile / across * TILE + blockIdx.x % (TILE / STRIP) * STRIP,
                 column = tile % across * TILE;
    const unsigned t = threadIdx.x, x = t % 32, y = t / 32 * 4;
    double sum[4][4] = {};
    float a[2], b[DEPTH];
    for (size_t k = 0; k <= p.n; k += DEPTH) {
        const size_t buffer = k / DEPTH % 2, last = buffer ^ 1;
#pragma unroll
        for (unsigned i = 0; i < DEPTH && k < p.n; i++)
            b[i] = p.b[(k + i) * p.n + column + t];
        for (unsigned i = 0; i < 2 && k < p.n; i++)
            a[i] = p.a[(row + t / DEPTH + 8 * i) * p.n + k + t % DEPTH];
#pragma unroll
        for (int l = 0; l < DEPTH && k > 0; l++)
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] = fma(tile_a[last][l][y + i], tile_b[last][l][x + 32 * j], sum[i][j]);
#pragma unroll
        for (unsigned i = 0; i < DEPTH && k < p.n; i++)
            tile_b[buffer][i][t] = b[i];
        for (unsigned i = 0; i < 2 && k < p.n; i++)
            tile_a[buffer][t % DEPTH][t / DEPTH + 8 * i] = a[i];
        __syncthreads(); /* these tiles are complete, and nobody needs the last ones */
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            p.c[(row + y + i) * p.n + column + x + 32 * j] = (float)sum[i][j];
}

/* The strips from this row on. Their flags lie behind what find_product finds, a byte for each
 * strip and set. */
static strips find_strips(const device_matrices *m, size_t row, int set = 0) {
    unsigned char *flags = (unsigned char *)(find_product(m, 0).rows + m->n);
    return {flags + (row + set * m->n) * m->n / (STRIP * TILE), m->found + set, m->count + set};
}
#endif
