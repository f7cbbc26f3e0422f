/* quick_consumer.h - what the consumers of a block do for a tile of C in the first pass.
 * Chapter: docs/27_tile_bound.md */
#ifndef QUICK_CONSUMER_H
#define QUICK_CONSUMER_H
#include "quick_bound.h"

/* What a lane's elements want by their own bounds. */
static __device__ int find_wants(const vector_info *left, const vector_info *columns,
                                 int (&level)[SLICES][SUMS]) {
    int wants = 0;
    finish_products(level); /* or the compiler keeps the sums of the levels, and spills */
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        combine_first(left[i / 2 % 2], columns[threadIdx.x % 4 * 2 + i / 4 * 8 + i % 2],
                      level[0][i], level[1][i], level[2][i], &wants);
    return wants;
}

/* As consume, in the first pass. */
static __device__ void consume_first(pipeline *pipe, const product &p, const strips &marked,
                                     unsigned row, unsigned column, unsigned rows) {
    int level[SLICES][SUMS] = {};
    add_products<1>(pipe, p, level);
    const unsigned turn = pipe->turn - 1, strip = threadIdx.x / 32,
                   y = strip * STRIP + threadIdx.x % 32 / 4;
    if (row == rows)
        return release(pipe, turn);
    const stage *s = &pipe->stages[turn % STAGES];
    const vector_info left[] = {s->rows[y], s->rows[y + 8]};
    float *c = p.c + (size_t)(row + y) * p.n + column + threadIdx.x % 4 * 2;
    int wants = 0;
    if (!store_quickly(p, left, s->columns, c, level))
        wants = find_wants(left, s->columns, level);
    release(pipe, turn);
    const int any = __any_sync(~0u, wants), fp64 = __any_sync(~0u, wants & IN_DOUBLE);
    if (threadIdx.x % 32 == 0)
        marked.flags[column / TILE * (p.n / STRIP) + row / STRIP + strip] = fp64  ? IN_DOUBLE
                                                                            : any ? SECOND
                                                                                  : 0;
    if (any)
        marked.found[!fp64] = 1;
}
#endif
