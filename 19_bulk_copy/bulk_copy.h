/* bulk_copy.h - TMA bulk copies (PTX: cp.async.bulk), and barriers in shared memory that
 * count threads and bytes (PTX: mbarrier). Chapter: docs/19_bulk_copy.md */
#ifndef BULK_COPY_H
#define BULK_COPY_H
#include <cuda_runtime.h>
#include <stdint.h>

/* A barrier has phases. One ends when so many threads have arrived and all bytes that
 * they expect have arrived, too; then the next begins. */
static __device__ void init_barrier(uint64_t *barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(barrier), "r"(arrivals));
    asm volatile("fence.mbarrier_init.release.cluster;"); /* before TMA uses it */
}

/* Arrives, and expects so many bytes. */
static __device__ void arrive_and_expect(uint64_t *barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.b64 _, [%0], %1;" ::"l"(barrier), "r"(bytes));
}

/* Waits in a loop for the end of the phase of this parity; they are 0, 1, 0, 1 and so on.
 */
static __device__ void wait_for_phase(uint64_t *barrier, unsigned parity) {
    asm volatile("{ .reg .pred ended;"
                 "again: mbarrier.try_wait.parity.b64 ended, [%0], %1;"
                 "@!ended bra again; }" ::"l"(barrier),
                 "r"(parity)
                 : "memory");
}

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
