/* pipeline.h - stages of shared memory between a producer and its consumers, in clusters of two
 * blocks (PTX: mapa, barrier.cluster, multicast). Chapter: docs/21_clusters.md */
#ifndef PIPELINE_H
#define PIPELINE_H
#include "wgmma.h"

enum {
    STAGES = 4,    /* two in use, two on their way */
    CONSUMERS = 2, /* warpgroups, one above the other */
    THREADS = (CONSUMERS + 1) * WARPGROUP,
    CLUSTER = 2, /* blocks */
    HALF = TILE_BYTES / CLUSTER
};

typedef struct stage {
    signed char a[TILE_BYTES], b[TILE_BYTES];
    vector_info rows[TILE], columns[TILE]; /* come with the last k of a tile of C */
} stage;

/* The stages of a block and their barriers: it has come; nobody needs it any more. */
typedef struct pipeline {
    stage *stages;
    uint64_t *full, *empty;
    unsigned turn; /* counts the stages in use, over all tiles of C */
} pipeline;

/* All threads of both blocks of the cluster. */
static __device__ void sync_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

/* Starts a copy to this address in both blocks; the barrier of each counts its bytes. */
static __device__ void start_multicast_copy(void *to, const void *from, unsigned bytes,
                                            uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                 "multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)), "h"((unsigned short)3));
}

/* Starts the copies for a tile of C, in one thread. */
static __device__ void produce(pipeline *pipe, const product &p, unsigned row, unsigned column,
                               unsigned rank) {
    const signed char *from_a = p.slices_a + image_layout::offset(row, 0, 0, p.n),
                      *from_b = p.slices_b + image_layout::offset(column, 0, 0, p.n);
    const unsigned tiles = (unsigned)p.n / BK; /* along k */
    for (unsigned k = 0; k < tiles; k++, pipe->turn++) {
        const unsigned i = pipe->turn % STAGES, last = k == tiles - 1;
        stage *s = &pipe->stages[i];
        uint64_t *full = &pipe->full[i];
        wait_for_phase(&pipe->empty[i], pipe->turn / STAGES % 2 ^ 1);
        arrive_and_expect(full, last ? sizeof *s : 2 * TILE_BYTES);
        start_bulk_copy(s->a, from_a + (size_t)k * TILE_BYTES, TILE_BYTES, full);
        start_multicast_copy(s->b + rank * HALF, from_b + (size_t)k * TILE_BYTES + rank * HALF,
                             HALF, full);
        if (last) {
            start_bulk_copy(s->rows, p.rows + row, sizeof s->rows, full);
            start_bulk_copy(s->columns, p.columns + column, sizeof s->columns, full);
        }
    }
}

/* A warp does not need the stage of this turn any more: tells both blocks. */
static __device__ void release(const pipeline *pipe, unsigned turn) {
    __syncwarp(); /* all lanes have read */
    if (threadIdx.x % 32 < CLUSTER)
        asm volatile("{ .reg .b32 empty; mapa.shared::cluster.u32 empty, %0, %1;"
                     "mbarrier.arrive.shared::cluster.b64 _, [empty]; }" ::"r"(
                         shared_address(&pipe->empty[turn % STAGES])),
                     "r"(threadIdx.x % 32)
                     : "memory");
}
#endif
