/* tile_images.h - slices in device memory as they lie in shared memory, tile by tile.
 * Chapter: docs/18_packed_tiles.md */
#ifndef TILE_IMAGES_H
#define TILE_IMAGES_H
#include "sliced_product.h"

/* A tile: BK slices of TILE vectors. */
enum {
    BK = 64, /* slices of a vector in a tile */
    SLICE_BYTES = TILE * BK,
    TILE_BYTES = SLICES * SLICE_BYTES
};

/* Where a segment of 16 slices lies among the BK of a vector. Two vectors have 32 banks:
 * so each second pair has another order. */
static __device__ unsigned swizzle(unsigned vector, unsigned segment) {
    return 16 * (segment ^ vector / 2 % 4);
}

/* Tiles lie one after another along k. */
struct image_layout {
    static __device__ size_t offset(size_t i, int d, size_t k, size_t n) {
        const size_t tile = i / TILE * (n / BK) + k / BK, vector = i % TILE;
        return tile * TILE_BYTES + d * SLICE_BYTES + vector * BK + swizzle(vector, k % BK / 16) +
               k % 16;
    }
};
#endif
