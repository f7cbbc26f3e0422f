/* halves.h - what the producer of a block does for half a tile of C.
 * Chapter: docs/28_split_tiles.md */
#ifndef HALVES_H
#define HALVES_H
#include "clusters.h"

/* As produce, but only half of the rows: those of this block. */
static __device__ void produce_half(pipeline *pipe, const product &p, unsigned row, unsigned column,
                                    unsigned rank) {
    const signed char *a = p.slices_a + image_layout::offset(row, 0, 0, p.n),
                      *b = p.slices_b + image_layout::offset(column, 0, 0, p.n);
    const unsigned first = rank * WG_M * BK;
    for (unsigned k = 0; k < p.n; k += BK, pipe->turn++, a += TILE_BYTES, b += TILE_BYTES) {
        const unsigned i = pipe->turn % STAGES, last = k + BK == p.n;
        stage *s = &pipe->stages[i];
        uint64_t *full = &pipe->full[i];
        wait_for_phase(&pipe->empty[i], pipe->turn / STAGES % 2 ^ 1);
        arrive_and_expect(full, (last ? sizeof *s : 2 * TILE_BYTES) - HALF);
        for (int d = 0; d < SLICES; d++)
            start_bulk_copy(s->a + d * SLICE_BYTES + first, a + d * SLICE_BYTES + first, WG_M * BK,
                            full);
        start_multicast_copy(s->b + rank * HALF, b + rank * HALF, HALF, full);
        if (last) {
            start_bulk_copy(s->rows, p.rows + row, sizeof s->rows, full);
            start_bulk_copy(s->columns, p.columns + column, sizeof s->columns, full);
        }
    }
}
#endif
