/* async_instructions.h - instructions of PTX that CUDA C does not have, for planted faults.
 * Macros, not functions: so a fault is on the line that uses one. */
#ifndef ASYNC_INSTRUCTIONS_H
#define ASYNC_INSTRUCTIONS_H
#include <stdint.h>

#define SHARED(p) ((unsigned)__cvta_generic_to_shared(p))

#define COPY_16(to, from)                                                                          \
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(SHARED(to)), "l"(from)          \
                 : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define WAIT_ALL()                                                                                 \
    asm volatile("cp.async.wait_all;" ::                                                           \
                     : "mem"                                                                       \
                       "ory")
#define COPIES_ARRIVE(b)                                                                           \
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 "                                      \
                 "[%0];" ::"r"(SHARED(b))                                                          \
                 : "memory")

#define INIT(b, count)                                                                             \
    asm volatile("mbarrier.init.shared::cta.b64 "                                                  \
                 "[%0], %1;" ::"r"(SHARED(b)),                                                     \
                 "r"(count)                                                                        \
                 : "memory")
#define ARRIVE(b)                                                                                  \
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(SHARED(b)) : "memory")
#define ARRIVE_REMOTE(b, block)                                                                    \
    asm volatile(                                                                                  \
        "{\n.reg .b32 remote;\n"                                                                   \
        "mapa.shared::cluster.u32 remote, %0, %1;\n"                                               \
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n}" ::"r"(SHARED(b)),    \
        "r"(block)                                                                                 \
        : "memory")
#define ARRIVE_EXPECT(b, bytes)                                                                    \
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(SHARED(b)),        \
                 "r"(bytes)                                                                        \
                 : "memory")
#define TRY_WAIT(open, b, parity)                                                                  \
    do {                                                                                           \
        unsigned is_open;                                                                          \
        asm volatile("{\n.reg .pred p;\n"                                                          \
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"                     \
                     "selp.u32 %0, 1, 0, p;\n}"                                                    \
                     : "=r"(is_open)                                                               \
                     : "r"(SHARED(b)), "r"(parity)                                                 \
                     : "memory");                                                                  \
        open = is_open;                                                                            \
    } while (0)
static __device__ void wait_parity(uint64_t *barrier, int parity) {
    bool open;
    do
        TRY_WAIT(open, barrier, parity);
    while (!open);
}

#define FENCE_INIT() asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")
#define FENCE_ASYNC() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

#define BULK_LOAD(to, from, bytes, b)                                                              \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "              \
                 "[%0], [%1], %2, [%3];" ::"r"(SHARED(to)),                                        \
                 "l"(from), "r"(bytes), "r"(SHARED(b))                                             \
                 : "memory")
#define BULK_STORE(to, from, bytes)                                                                \
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),          \
                 "r"(SHARED(from)), "r"(bytes)                                                     \
                 : "memory")
#define BULK_COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define BULK_WAIT(n) asm volatile("cp.async.bulk.wait_group %0;" ::"n"(n) : "memory")
#define BULK_WAIT_READ(n) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory")

#define BAR_SYNC(number, threads)                                                                  \
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory")
#define BAR_ARRIVE(number, threads)                                                                \
    asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory")

#define CLUSTER_RANK(rank) asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank))
#define CLUSTER_SYNC()                                                                             \
    asm volatile("barrier.cluster.arrive.release.aligned;\n"                                       \
                 "barrier.cluster.wait.acquire.aligned;" ::                                        \
                     : "memory")
#define STORE_REMOTE(p, block, value)                                                              \
    asm volatile("{\n.reg .b32 remote;\n"                                                          \
                 "mapa.shared::cluster.u32 remote, %0, %1;\n"                                      \
                 "st.shared::cluster.f32 [remote], %2;\n}" ::"r"(SHARED(p)),                       \
                 "r"(block), "f"(value)                                                            \
                 : "memory")

/* No swizzle: 128 bytes from a core matrix to the next along k, 256 to the next 8 rows. */
#define DESCRIPTOR(tile) ((uint64_t)(SHARED(tile) >> 4) | (uint64_t)8 << 16 | (uint64_t)16 << 32)
#define MULTIPLY(sum, a, b) MULTIPLY_BY(sum, DESCRIPTOR(a), DESCRIPTOR(b))
#define MULTIPLY_BY(sum, a, b)                                                                     \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, 1, 0;\n"                                    \
                 "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 "                                \
                 "{%0, %1, %2, %3}, %4, %5, add;\n}"                                               \
                 : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])                          \
                 : "l"(a), "l"(b))
#define WGMMA_FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define WGMMA_COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WGMMA_WAIT(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")

static inline __device__ void fill_ones(unsigned char *tile, unsigned bytes) {
    for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x)
        ((unsigned *)tile)[i] = 0x01010101;
}
#endif
