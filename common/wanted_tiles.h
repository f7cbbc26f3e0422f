/* wanted_tiles.h - which pairs of tiles a pass has. Chapter: docs/26_next_products.md */
#ifndef WANTED_TILES_H
#define WANTED_TILES_H
#include "passes.h"

/* Whether a pass has this pair of tiles, of so many down: pass 2 where a strip wants so.
 */
template <int pass>
static __device__ bool has_pair(const product &p, const strips &marked, unsigned pair,
                                unsigned down, unsigned rows) {
    const unsigned row = pair % down * CLUSTER * TILE;
    const uint64_t *flags = (uint64_t *)&marked.flags[pair / down * (p.n / STRIP) + row / STRIP];
    return pass == 1 ||
           (flags[0] | (row + TILE < rows ? flags[1] : 0)) & SECOND * 0x0101010101010101;
}
#endif
