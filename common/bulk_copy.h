/* bulk_copy.h - tiles as images in device memory, TMA bulk copies of them to shared memory, and
 * the barriers that count what they bring (PTX: mbarrier, cp.async.bulk).
 * Chapter: docs/18_bulk_copy.md */
#ifndef BULK_COPY_H
#define BULK_COPY_H
#include "sliced_product.h"
#include <stdint.h>

enum {
    BK = 64,                          /* k in a tile, bytes of a vector in a slice */
    SLICE_BYTES = TILE * BK,          /* of a tile's slice */
    TILE_BYTES = SLICES * SLICE_BYTES /* of a tile: one piece of device memory */
};

/* Tiles of TILE vectors x BK elements, each as it is to lie in shared memory: slice after slice,
 * vector after vector. The 64-byte swizzle: of a vector's four segments of 16 bytes, s lies at the
 * place of s XOR two bits of the vector's number, so that neither ldmatrix nor wgmma meets a bank
 * conflict. */
struct image_layout {
    static __host__ __device__ size_t offset(size_t i, int d, size_t k, size_t n) {
        const size_t tile = i / TILE * (n / BK) + k / BK, segment = k % BK / 16 ^ i / 2 % 4;
        return (tile * SLICES + d) * SLICE_BYTES + i % TILE * BK + segment * 16 + k % 16;
    }
};

static __device__ unsigned shared_address(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

/* A barrier's phase ends when so many threads have arrived and the bytes that they expect have
 * come. The next phase begins by itself. */
static __device__ void init_barrier(uint64_t *barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(arrivals)
                 : "memory");
}

/* Shows new barriers to copies and to other blocks. */
static __device__ void fence_barrier_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* Arrives, and expects that copies bring so many bytes in this phase. */
static __device__ void arrive_and_expect(uint64_t *barrier, unsigned bytes) {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
        "r"(bytes)
        : "memory");
}

/* Waits while the barrier is in a phase of this parity: phases are 0, 1, 0, 1, ... The phase before
 * the first counts as 1. */
static __device__ void wait_for_phase(uint64_t *barrier, unsigned parity) {
    unsigned over;
    do
        asm volatile("{\n.reg .pred over;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, over;\n}"
                     : "=r"(over)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
    while (!over);
}

/* Starts a copy from device memory; the barrier counts its bytes. Addresses and bytes are
 * multiples of 16. */
static __device__ void start_bulk_copy(void *to, const void *from, unsigned bytes,
                                       uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}
#endif
