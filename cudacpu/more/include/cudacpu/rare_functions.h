/* rare_functions.h - what a kernel calls more rarely: loads and stores with advice for the caches,
 * of what memory an address is, its cluster without cooperative groups, a block's barriers by
 * number. */
#ifndef CUDACPU_RARE_FUNCTIONS_H
#define CUDACPU_RARE_FUNCTIONS_H
#include "cudacpu/coordinates.h"
#include "cudacpu/device_functions.h"

[[noreturn]] static inline void __brkpt(CUDACPU_SITE) { ::cudacpu::trap(file, line); }
static inline void __prof_trigger(int) {} /* a profiler's counter */
#if !defined __clang__ && !defined __builtin_assume
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#endif

/* Loads and stores with advice for the caches. */
template <class T> T __ldg(const T *address) { return *address; }
template <class T> T __ldcg(const T *address) { return *address; }
template <class T> T __ldca(const T *address) { return *address; }
template <class T> T __ldcs(const T *address) { return *address; }
template <class T> T __ldlu(const T *address) { return *address; }
template <class T> T __ldcv(const T *address) { return *address; }
template <class T> void __stwb(T *address, T value) { *address = value; }
template <class T> void __stcg(T *address, T value) { *address = value; }
template <class T> void __stcs(T *address, T value) { *address = value; }
template <class T> void __stwt(T *address, T value) { *address = value; }

namespace cudacpu {
bool is_shared(const void *p); /* of the block's; outside a kernel: no */
bool is_local(const void *p);  /* on a stack of the block's threads */
} // namespace cudacpu
static inline unsigned __isShared(const void *p) { return ::cudacpu::is_shared(p); }
static inline unsigned __isLocal(const void *p) { return ::cudacpu::is_local(p); }
static inline unsigned __isGlobal(const void *p) {
    return p && !::cudacpu::is_shared(p) && !::cudacpu::is_local(p);
}
/* A __constant__ variable is one of the program's, as a __device__ one: not told apart. */
static inline size_t __cvta_generic_to_local(const void *p) { return (size_t)p; }
static inline size_t __cvta_generic_to_constant(const void *p) { return (size_t)p; }
static inline void *__cvta_global_to_generic(size_t address) { return (void *)address; }
static inline void *__cvta_local_to_generic(size_t address) { return (void *)address; }
static inline void *__cvta_constant_to_generic(size_t address) { return (void *)address; }

/* ---- clusters ---- */

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
