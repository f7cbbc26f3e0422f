/* cluster.h - what blocks of a cluster do with each other's shared memory (PTX: mapa,
 * barrier.cluster, multicast). Chapter: docs/21_clusters.md */
#ifndef CLUSTER_H
#define CLUSTER_H
#include "bulk_copy.h"

/* Arrives at this barrier in one block of the cluster. */
static __device__ void arrive(uint64_t *barrier, unsigned block) {
    asm volatile(
        "{\n.reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}" ::"r"(shared_address(barrier)),
        "r"(block)
        : "memory");
}

static __device__ void sync_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire."
                 "aligned;" ::
                     : "memory");
}

/* A bulk copy with multicast: to this address in both blocks of the cluster, and counted
 * by the barrier of each. */
static __device__ void start_multicast_copy(void *to, const void *from, unsigned bytes,
                                            uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                 "multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)), "h"((unsigned short)3)
                 : "memory");
}
#endif
