/* packed_tiles.h - slices in device memory as they will lie in shared memory, swizzled:
 * a tile is one piece. Chapter: docs/18_packed_tiles.md */
#ifndef PACKED_TILES_H
#define PACKED_TILES_H
#include "../14_int8_slices/sliced_call.h"
#include "../17_stages/swizzle.h"

/* A tile: BK slices of TILE rows or columns. */
enum { SLICE_BYTES = TILE * BK, TILE_BYTES = SLICES * SLICE_BYTES };

/* Tiles lie one after another along k. */
struct packed_layout {
    static __device__ size_t offset(size_t i, int d, size_t k, size_t n) {
        const size_t tile = i / TILE * (n / BK) + k / BK, row = i % TILE;
        return tile * TILE_BYTES + d * SLICE_BYTES + row * BK +
               swizzle((unsigned)row, (unsigned)(k % BK / 16)) + k % 16;
    }
};
#endif
