/* device_functions.h - what else a kernel calls: __trap(), __nanosleep(), clock64(), __ldg(),
 * shared addresses, programmatic dependent launch; what it asks of its cluster without cooperative
 * groups; barriers by number of a block. */
#ifndef CUDACPU_DEVICE_FUNCTIONS_H
#define CUDACPU_DEVICE_FUNCTIONS_H
#include "cudacpu/coordinates.h"
#include "cudacpu/ptx.h"
#include "cudacpu/shared_address.h"

namespace cudacpu {
[[noreturn]] void trap(const char *file, int line);
/* Matrices of wmma: a kernel calls for them in a way that a GPU does not take. */
[[noreturn]] void fail_fragment(const char *kind, const char *why, const char *file, int line);
/* A matrix for wmma is not at a multiple of so many bytes, or its rows are not so far apart. */
[[noreturn]] void fail_matrix(const void *p, size_t row_bytes, unsigned bytes, unsigned apart,
                              const char *file, int line);
bool is_warp_whole(); /* the running thread's: the block's last one may have fewer threads */
[[noreturn]] void end_thread();       /* PTX's exit */
void sleep_thread(const site *where); /* the others of the block run once; so do other blocks */
bool is_in_kernel();
bool is_shared(const void *p); /* of the block's; outside a kernel: no */
bool is_local(const void *p);  /* on a stack of the block's threads */
} // namespace cudacpu

[[noreturn]] static inline void __trap(CUDACPU_SITE) { ::cudacpu::trap(file, line); }
[[noreturn]] static inline void __brkpt(CUDACPU_SITE) { ::cudacpu::trap(file, line); }
static inline void __prof_trigger(int) {} /* a profiler's counter */
#if !defined __clang__ && !defined __builtin_assume
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#endif
static inline void __nanosleep(unsigned, CUDACPU_SITE) { ::cudacpu::sleep_thread(CUDACPU_HERE); }
long long clock64();
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

static inline size_t __cvta_generic_to_shared(const void *p, CUDACPU_SITE) {
    return ::cudacpu::ptx::to_shared((uint64_t)p, CUDACPU_HERE);
}
static inline size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
static inline void *__cvta_shared_to_generic(size_t address, CUDACPU_SITE) {
    return ::cudacpu::ptx::from_shared((uint32_t)address, CUDACPU_HERE);
}
static inline void cudaGridDependencySynchronize(CUDACPU_SITE) {
    ::cudacpu::ptx::wait_for_primary(CUDACPU_HERE);
}
static inline void cudaTriggerProgrammaticLaunchCompletion(CUDACPU_SITE) {
    ::cudacpu::ptx::launch_dependents(CUDACPU_HERE);
}
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
