/* consumer.h - what the consumers of a block do for a tile of C, in either pass.
 * Chapter: docs/26_next_products.md */
#ifndef CONSUMER_H
#define CONSUMER_H
#include "wanted_tiles.h"

/* Multiplies and stores a warpgroup's part of a tile of C. */
template <int pass>
static __device__ void consume(pipeline *pipe, const product &p, const strips &marked, unsigned row,
                               unsigned column, unsigned rows) {
    const unsigned lane = threadIdx.x % 32;
    int level[SLICES][SUMS] = {};
    add_products<pass>(pipe, p, level);
    unsigned char *flag =
        &marked.flags[column / TILE * (p.n / STRIP) + row / STRIP + threadIdx.x / 32];
    if (row == rows || (pass == 2 && !(*flag & SECOND)))
        return release(pipe, pipe->turn - 1);
    const unsigned turn = pipe->turn - 1, y = threadIdx.x / 32 * 16 + lane / 4, x = lane % 4 * 2;
    const stage *s = &pipe->stages[turn % STAGES];
    const vector_info left[] = {s->rows[y], s->rows[y + 8]};
    float *c = p.c + (size_t)(row + y) * p.n + column + x;
    int wants = 0;
#pragma unroll
    for (int i = 0; i < SUMS && pass == 2; i++) /* of the first pass */
        level[2][i] = __float_as_int(c[i / 4 * 8 + i / 2 % 2 * 8 * p.n + i % 2]);
#pragma unroll
    for (int i = 0; i < SUMS; i += 4) {
        const vector_info *right = &s->columns[x + 2 * i];
        float value[4];
        for (int j = 0; j < 4; j++)
            value[j] = (pass == 1 ? combine_first : combine_next)(left[j / 2], right[j % 2],
                                                                  level[0][i + j], level[1][i + j],
                                                                  level[2][i + j], &wants);
        *(float2 *)&c[2 * i] = make_float2(value[0], value[1]);
        *(float2 *)&c[2 * i + 8 * p.n] = make_float2(value[2], value[3]);
    }
    release(pipe, turn);
    const int any = __any_sync(~0u, wants), fp64 = __any_sync(~0u, wants & IN_DOUBLE);
    if (lane == 0)
        *flag = (fp64 ? IN_DOUBLE : any ? SECOND : 0) | (pass == 2 ? SECOND : 0);
    if (lane == 0 && pass == 2)
        atomicAdd(p.again + 1, 1);
    if (any)
        marked.found[!fp64] = 1;
}
#endif
