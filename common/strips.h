/* strips.h - strips of 16 x 128 elements of C that are not done yet, and what computes them in
 * double. Chapter: docs/24_strips.md */
#ifndef STRIPS_H
#define STRIPS_H
#include "sliced_product.h"

enum {
    STRIP = 16,   /* rows of a strip, which has a tile's columns */
    DEPTH = 8,    /* k in a tile of double_kernel */
    TN = 2,       /* columns of a thread there */
    IN_DOUBLE = 1 /* a strip's flag */
};

/* What says which strips are to be computed in double, from a row on. */
typedef struct strips {
    unsigned char *flags; /* from the top down, then of the next columns */
    unsigned *found;      /* in the host's memory: whether one is set */
} strips;

/* Computes a strip in double, if its flag is set, with the sums of 01. A thread has TN
 * columns: each value of A serves TN products. */
static __global__ void __launch_bounds__(TILE / TN)
    double_kernel(const product p, const strips marked) {
    __shared__ __align__(16) double tile_a[DEPTH][STRIP];
    if (!(marked.flags[blockIdx.x] & IN_DOUBLE))
        return;
    const size_t down = p.n / STRIP, row = blockIdx.x % down * STRIP, t = threadIdx.x,
                 column = blockIdx.x / down * TILE + t;
    double sum[STRIP][TN] = {};
    for (size_t k = 0; k < p.n; k += DEPTH) {
        float b[DEPTH][TN]; /* in flight */
#pragma unroll
        for (int i = 0; i < DEPTH * TN; i++)
            b[i / TN][i % TN] = p.b[(k + i / TN) * p.n + column + i % TN * (TILE / TN)];
        __syncthreads(); /* nobody needs the last tile of A */
        for (unsigned i = t / DEPTH; i < STRIP; i += TILE / TN / DEPTH)
            tile_a[t % DEPTH][i] = p.a[(row + i) * p.n + k + t % DEPTH];
        __syncthreads();
#pragma unroll
        for (int l = 0; l < DEPTH; l++)
#pragma unroll
            for (int i = 0; i < STRIP * TN; i++)
                sum[i / TN][i % TN] =
                    fma(tile_a[l][i / TN], (double)b[l][i % TN], sum[i / TN][i % TN]);
    }
#pragma unroll
    for (int i = 0; i < STRIP * TN; i++)
        p.c[(row + i / TN) * p.n + column + i % TN * (TILE / TN)] = (float)sum[i / TN][i % TN];
    if (t == 0)
        atomicAdd(p.again, 1);
}

/* The strips from this row on; their flags lie behind what find_product finds. */
static inline strips find_strips(const device_matrices *m, size_t row) {
    return {(unsigned char *)(find_product(m, 0).rows + m->n) + row / STRIP, m->found};
}
#endif
