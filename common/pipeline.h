/* pipeline.h - what the producer of a block does for a tile of C. Chapter: docs/24_clusters.md */
#ifndef PIPELINE_H
#define PIPELINE_H
#include "clusters.h"

/* Starts the copies for a tile of C, in one thread. */
static __device__ void produce(pipeline *pipe, const product &p, unsigned row, unsigned column,
                               unsigned rank) {
    const signed char *a = p.slices_a + image_layout::offset(row, 0, 0, p.n),
                      *b = p.slices_b + image_layout::offset(column, 0, 0, p.n);
    for (unsigned k = 0; k < p.n; k += BK, pipe->turn++, a += TILE_BYTES, b += TILE_BYTES) {
        const unsigned i = pipe->turn % STAGES, last = k + BK == p.n;
        stage *s = &pipe->stages[i];
        uint64_t *full = &pipe->full[i];
        wait_for_phase(&pipe->empty[i], pipe->turn / STAGES % 2 ^ 1);
        arrive_and_expect(full, last ? sizeof *s : 2 * TILE_BYTES);
        start_bulk_copy(s->a, a, TILE_BYTES, full);
        start_multicast_copy(s->b + rank * HALF, b + rank * HALF, HALF, full);
        if (last) {
            start_bulk_copy(s->rows, p.rows + row, sizeof s->rows, full);
            start_bulk_copy(s->columns, p.columns + column, sizeof s->columns, full);
        }
    }
}
#endif
