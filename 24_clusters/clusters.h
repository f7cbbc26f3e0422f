/* clusters.h - clusters of two blocks, which copy into each other's shared memory (PTX:
 * mapa, barrier.cluster, multicast). Chapter: docs/24_clusters.md */
#ifndef CLUSTERS_H
#define CLUSTERS_H
#include "../19_bulk_copy/bulk_copy.h"
#include "../21_warp_specialized/pipeline.h"

enum {
    CLUSTER = 2, /* blocks */
    HALF = TILE_BYTES / CLUSTER
};

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
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)),
                 "h"((unsigned short)3));
}

/* A warp does not need this stage any more: tells both blocks. */
static __device__ void release(const pipeline *pipe, unsigned index) {
    if (threadIdx.x % 32 < CLUSTER)
        asm volatile("{ .reg .b32 empty; mapa.shared::cluster.u32 empty, %0, %1;"
                     "mbarrier.arrive.shared::cluster.b64 _, [empty]; }" ::"r"(
                         shared_address(&pipe->empty[index])),
                     "r"(threadIdx.x % 32)
                     : "memory");
}
#endif
