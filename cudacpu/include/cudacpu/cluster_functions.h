/* cluster_functions.h - what a kernel asks of its cluster without cooperative groups: sizes,
 * places, the barrier in two halves, another block's shared memory; and barriers by number of a
 * block. */
#ifndef CUDACPU_CLUSTER_FUNCTIONS_H
#define CUDACPU_CLUSTER_FUNCTIONS_H
#include "cudacpu/barrier.h"
#include "cudacpu/coordinates.h"
#include "cudacpu/ptx.h"
#include "cudacpu/site.h"
#include "vector_types.h"

namespace cudacpu {
/* A function of an axis, for all three. */
template <class F> inline dim3 by_axes(F f) { return dim3(f(0), f(1), f(2)); }
} // namespace cudacpu

static inline unsigned __clusterDimIsSpecified() { return ::cudacpu::ptx::cluster_size() > 1; }
static inline dim3 __clusterDim() { return ::cudacpu::by_axes(::cudacpu::ptx::blocks_in_cluster); }
static inline dim3 __clusterRelativeBlockIdx() {
    return ::cudacpu::by_axes(::cudacpu::ptx::block_in_cluster);
}
static inline dim3 __clusterGridDimInClusters() {
    return ::cudacpu::by_axes(::cudacpu::ptx::cluster_count);
}
static inline dim3 __clusterIdx() { return ::cudacpu::by_axes(::cudacpu::ptx::cluster_id); }
static inline unsigned __clusterRelativeBlockRank() { return ::cudacpu::ptx::cluster_rank(); }
static inline unsigned __clusterSizeInBlocks() { return ::cudacpu::ptx::cluster_size(); }
static inline void __cluster_barrier_arrive(CUDACPU_SITE) {
    ::cudacpu::ptx::cluster_arrive(CUDACPU_HERE);
}
static inline void __cluster_barrier_arrive_relaxed(CUDACPU_SITE) {
    __cluster_barrier_arrive(file, line);
}
static inline void __cluster_barrier_wait(CUDACPU_SITE) {
    ::cudacpu::ptx::cluster_wait(CUDACPU_HERE);
}
static inline void *__cluster_map_shared_rank(const void *p, unsigned rank, CUDACPU_SITE) {
    return (void *)::cudacpu::ptx::map_generic_to_rank((uint64_t)p, rank, CUDACPU_HERE);
}
static inline void __barrier_sync(unsigned number, CUDACPU_SITE) {
    ::cudacpu::ptx::barrier_sync(number, 0, CUDACPU_HERE);
}
static inline void __barrier_sync_count(unsigned number, unsigned threads, CUDACPU_SITE) {
    ::cudacpu::ptx::barrier_sync(number, threads, CUDACPU_HERE);
}
#endif
