/* bulk_copy.h - TMA bulk copies (PTX: cp.async.bulk). Chapter: docs/19_bulk_copy.md */
#ifndef BULK_COPY_H
#define BULK_COPY_H
#include "mbarrier.h"

static __device__ unsigned shared_address(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

/* Starts a copy from device memory; the barrier counts its bytes. */
static __device__ void start_bulk_copy(void *to, const void *from, unsigned bytes,
                                       uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)));
}
#endif
