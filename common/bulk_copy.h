/* bulk_copy.h - slices in device memory as they lie in shared memory, TMA bulk copies of them, and
 * the barriers that count what comes (PTX: mbarrier, cp.async.bulk).
 * Chapter: docs/18_bulk_copy.md */
#ifndef BULK_COPY_H
#define BULK_COPY_H
#include "sliced_product.h"
#include <stdint.h>

/* A tile: TILE vectors, BK slices of each, swizzled. */
enum {
    BK = 64, /* slices of a vector in a tile */
    SLICE_BYTES = TILE * BK,
    TILE_BYTES = SLICES * SLICE_BYTES
};
/* Where a segment of 16 slices lies among the BK of a vector. Two vectors have 32 banks:
 * so each second pair has another order. */
static __device__ unsigned swizzle(unsigned vector, unsigned segment) {
    return 16 * (segment ^ vector / 2 % 4);
}

/* Tiles lie one after another along k. */
struct image_layout {
    static __device__ size_t offset(size_t i, int d, size_t k, size_t n) {
        const size_t tile = i / TILE * (n / BK) + k / BK, vector = i % TILE;
        return tile * TILE_BYTES + d * SLICE_BYTES + vector * BK + swizzle(vector, k % BK / 16) +
               k % 16;
    }
};

static __device__ unsigned shared_address(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

/* A barrier has phases. One ends when so many threads have arrived and all bytes that
 * they expect have come; then the next begins. */
static __device__ void init_barrier(uint64_t *barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(barrier), "r"(arrivals));
    asm volatile("fence.mbarrier_init.release.cluster;");
}

/* Arrives, and expects so many bytes. */
static __device__ void arrive_and_expect(uint64_t *barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.b64 _, [%0], %1;" ::"l"(barrier), "r"(bytes));
}

/* Waits for the end of the latest phase of this parity; they are 0, 1, 0, 1 and so on. */
static __device__ void wait_for_phase(uint64_t *barrier, unsigned parity) {
    asm volatile("{ .reg .pred ended;"
                 "again: mbarrier.try_wait.parity.b64 ended, [%0], %1;"
                 "@!ended bra again; }" ::"l"(barrier),
                 "r"(parity)
                 : "memory");
}

/* Starts a copy from device memory; the barrier counts its bytes. */
static __device__ void start_bulk_copy(void *to, const void *from, unsigned bytes,
                                       uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)));
}
#endif
