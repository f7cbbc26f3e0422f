/* barrier.h - __syncthreads() and its kin, fences. */
#ifndef CUDACPU_BARRIER_H
#define CUDACPU_BARRIER_H
#include "cudacpu/fiber.h"

namespace cudacpu {

enum reduction { REDUCE_COUNT, REDUCE_AND, REDUCE_OR };

void barrier(const site *where);
int barrier_reduce(reduction operation, int predicate, const char *file, int line);

} // namespace cudacpu

#if defined(CUDACPU_FIBER_SETJMP) || defined(CUDACPU_INSPECT)
#define CUDACPU_WAIT ::cudacpu::barrier
#else
#define CUDACPU_WAIT ::cudacpu::wait_at
#endif
#define __syncthreads()                                                                            \
    (__extension__({                                                                               \
        static const ::cudacpu::site cudacpu_here = {__FILE__, __LINE__, __COUNTER__ + 1};         \
        CUDACPU_WAIT(&cudacpu_here);                                                               \
    }))
static inline int __syncthreads_count(int predicate, CUDACPU_SITE) {
    return ::cudacpu::barrier_reduce(::cudacpu::REDUCE_COUNT, predicate, file, line);
}
static inline int __syncthreads_and(int predicate, CUDACPU_SITE) {
    return ::cudacpu::barrier_reduce(::cudacpu::REDUCE_AND, predicate, file, line);
}
static inline int __syncthreads_or(int predicate, CUDACPU_SITE) {
    return ::cudacpu::barrier_reduce(::cudacpu::REDUCE_OR, predicate, file, line);
}

static inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_cluster() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif
