/* fences.cpp - fences of PTX: here every write is seen at once, in order; an observer is told. */
#include "cudacpu/ptx.h"
#include "runtime/host/observer.h"

namespace cudacpu::ptx {

void fence_proxy_async(const site *) {
    if (observing)
        observing->proxy_fence();
}

void fence_mbarrier_init(const site *) {
    if (observing)
        observing->mbarrier_init_fence();
}

void fence(const site *) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

} // namespace cudacpu::ptx
