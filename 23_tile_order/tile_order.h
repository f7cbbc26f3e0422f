/* tile_order.h - the order in which tiles of C are computed, by which the SMs share what
 * is in the L2 cache (rasterization). Chapter: docs/23_tile_order.md */
#ifndef TILE_ORDER_H
#define TILE_ORDER_H
#include <cuda_runtime.h>

enum { GROUP = 8 }; /* rows of tiles that are computed together */

/* The i-th of down x across tiles: group after group; in a group column by column. Row y,
 * column x, counted in tiles. */
static __device__ uint2 find_tile(unsigned i, unsigned down, unsigned across) {
    const unsigned first = i / (GROUP * across) * GROUP, /* row of the group */
        height = min(GROUP, down - first), j = i - first * across;
    return make_uint2(j / height, first + j % height);
}
#endif
