/* pipeline.h - stages of shared memory between a producer and its consumers, in clusters of two
 * blocks. Chapter: docs/21_clusters.md */
#ifndef PIPELINE_H
#define PIPELINE_H
#include "cluster.h"
#include "wgmma.h"

enum {
    CONSUMERS = 2, /* warpgroups that multiply, one above the other */
    THREADS = (CONSUMERS + 1) * WARPGROUP,
    CLUSTER = 2, /* blocks */
    STAGES = 4   /* so many tiles of A and of B fit */
};

typedef struct stage {
    signed char a[TILE_BYTES], b[TILE_BYTES];
} stage;

/* The stages of a block, with their barriers: all bytes have come; nobody needs them. */
typedef struct pipeline {
    stage *stages;
    uint64_t *full, *empty;
    unsigned turn; /* counts the stages in use, over all tiles */
} pipeline;

/* The producer, one thread: starts the copies of a tile of C, a and b the first tiles of
 * its slices. */
static __device__ void produce(pipeline *p, const signed char *a, const signed char *b,
                               unsigned tiles, unsigned rank) {
    const unsigned half = TILE_BYTES / CLUSTER, from = rank * half;
    for (unsigned i = 0; i < tiles; i++, p->turn++) {
        const unsigned s = p->turn % STAGES, last = p->turn / STAGES % 2 ^ 1;
        wait_for_phase(&p->empty[s], last);
        arrive_and_expect(&p->full[s], sizeof(stage));
        start_bulk_copy(p->stages[s].a, a, TILE_BYTES, &p->full[s]);
        start_multicast_copy(p->stages[s].b + from, b + from, half, &p->full[s]);
        a += TILE_BYTES;
        b += TILE_BYTES;
    }
}

/* A warp does not need the stage of this turn any more. */
static __device__ void release(const pipeline *p, unsigned turn) {
    if (threadIdx.x % 32 < CLUSTER)
        arrive(&p->empty[turn % STAGES], threadIdx.x % 32);
}
#endif
