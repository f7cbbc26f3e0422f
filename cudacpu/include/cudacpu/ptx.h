/* ptx.h - the PTX instructions that cudacpu executes: what cpucc makes of inline assembly.
 *
 * cpucc translates an asm statement to a block of C++: a variable for each operand and register,
 * goto for bra, if for a predicate, and a call of one of these functions for each instruction that
 * C++ does not have. A register holds bits: uint16_t, uint32_t or uint64_t; a predicate is a bool.
 * where is the place of the asm statement.
 *
 * An address in shared memory is a number of 32 bits: the block's own (shared::cta), or, above its
 * last 24 bits, 1 + the rank of a block of the cluster (shared::cluster, as mapa makes it). */
#ifndef CUDACPU_PTX_H
#define CUDACPU_PTX_H
#include "cudacpu/site.h"
#include <cstddef>
#include <cstdint>

namespace cudacpu::ptx {

#ifdef CUDACPU_INSPECT
const bool is_observed = true;
#else
const bool is_observed = false;
#endif

/* ---- addresses (runtime/scheduler/shared_window.cpp) ---- */

/* Of all shared memory of the block and of its cluster; shared_address.h has what is inlined. */
uint32_t find_shared(uint64_t generic, const site *where);
void *find_generic(uint32_t address, const site *where);
uint32_t map_to_rank(uint32_t address, uint32_t rank, const site *where); /* mapa...u32 */
uint64_t map_generic_to_rank(uint64_t generic, uint32_t rank, const site *where);
uint32_t rank_of(uint32_t address); /* getctarank */

/* ---- special registers: %laneid and the like come from coordinates; of the cluster: ---- */
uint32_t cluster_rank();              /* %cluster_ctarank */
uint32_t cluster_size();              /* %cluster_nctaid.x * y * z */
uint32_t cluster_id(int axis);        /* %clusterid */
uint32_t cluster_count(int axis);     /* %nclusterid */
uint32_t block_in_cluster(int axis);  /* %cluster_ctaid */
uint32_t blocks_in_cluster(int axis); /* %cluster_nctaid */

/* ---- barriers of a block and of a cluster (runtime/barriers) ---- */

/* bar.sync, barrier.sync: number 0 to 15; threads 0: of the whole block. Barrier 0 of the whole
 * block is __syncthreads(). */
void barrier_sync(uint32_t number, uint32_t threads, const site *where);
void barrier_arrive(uint32_t number, uint32_t threads, const site *where);
void cluster_arrive(const site *where);
void cluster_wait(const site *where);

/* ---- programmatic dependent launch (runtime/scheduler/grid.cpp) ---- */

void wait_for_primary(const site *where);  /* until the launch before has ended */
void launch_dependents(const site *where); /* for this block, the launch after it may begin */

/* ---- mbarrier (runtime/barriers/mbarrier.cpp) ---- */

void mbarrier_init(uint32_t address, uint32_t count, const site *where);
void mbarrier_inval(uint32_t address, const site *where);
/* Return the state before the arrival; of another block's barrier there is none: 0. */
uint64_t mbarrier_arrive(uint32_t address, uint32_t count, const site *where);
uint64_t mbarrier_arrive_expect_tx(uint32_t address, uint32_t bytes, const site *where);
uint64_t mbarrier_arrive_drop(uint32_t address, uint32_t count, const site *where);
void mbarrier_expect_tx(uint32_t address, uint32_t bytes, const site *where);
void mbarrier_complete_tx(uint32_t address, uint32_t bytes, const site *where);
/* try: waits until the phase is complete (a GPU may give up before, and return false). */
bool mbarrier_test_wait(uint32_t address, uint64_t state, const site *where);
bool mbarrier_try_wait(uint32_t address, uint64_t state, const site *where);
bool mbarrier_test_wait_parity(uint32_t address, uint32_t parity, const site *where);
bool mbarrier_try_wait_parity(uint32_t address, uint32_t parity, const site *where);
uint32_t mbarrier_pending_count(uint64_t state);

/* ---- asynchronous copies (runtime/barriers/async_copies.cpp) ---- */

/* cp.async.ca, .cg: bytes 4, 8 or 16, of which the first source_bytes come from global memory and
 * the rest are zeros. */
void cp_async(uint32_t to, uint64_t from, uint32_t bytes, uint32_t source_bytes, const site *where);
void cp_async_commit_group(const site *where);
void cp_async_wait_group(uint32_t newest, const site *where); /* all but the newest groups */
void cp_async_wait_all(const site *where);
/* cp.async.mbarrier.arrive: arrives once this thread's copies so far are done. */
void cp_async_mbarrier_arrive(uint32_t address, bool noinc, const site *where);

/* cp.async.bulk to shared memory, counted by the mbarrier; mask: blocks of the cluster with
 * .multicast::cluster, 0 without. */
void bulk_load(uint32_t to, uint64_t from, uint32_t bytes, uint32_t barrier, uint32_t mask,
               const site *where);
/* shared::cta to shared::cluster, counted by an mbarrier there. */
void bulk_copy_to_cluster(uint32_t to, uint32_t from, uint32_t bytes, uint32_t barrier,
                          const site *where);
/* shared to global, in bulk groups. */
void bulk_store(uint64_t to, uint32_t from, uint32_t bytes, const site *where);
void bulk_prefetch(uint64_t from, uint32_t bytes, const site *where);
void bulk_commit_group(const site *where);
void bulk_wait_group(uint32_t newest, bool read, const site *where);

/* ---- fences ---- */
void fence_proxy_async(const site *where);
void fence_mbarrier_init(const site *where);
void fence(const site *where); /* fence.sc, fence.acq_rel, membar */

/* ---- a warp's instructions (runtime/tensor/mma.cpp) ---- */

enum element { S8, U8, F16, BF16, TF32 };

/* ldmatrix.sync.aligned.m8n8: count 1, 2 or 4 matrices of 8 x 8 elements of 16 bits. */
void ldmatrix(uint32_t *d, unsigned count, bool transposed, uint32_t address, const site *where);
/* mma.sync.aligned.m16n8: d = a b + c. k 16 or 32 of 8-bit integers (s32 sums, sum_bits 32). The
 * number of registers of a, b, c and d is the instruction's. */
void mma_sync(unsigned k, element a_type, element b_type, bool saturate, uint32_t *d,
              const uint32_t *a, const uint32_t *b, const uint32_t *c, const site *where);
/* Of f64: rows 8 with k 4, or rows 16 with k 4, 8 or 16. Each sum is a chain of fma in the order of
 * k that begins with c, so it has the bits of a GPU. */
void mma_sync_f64(unsigned rows, unsigned k, uint64_t *d, const uint64_t *a, const uint64_t *b,
                  const uint64_t *c, const site *where);
/* elect.sync: true in one lane of the mask, whose number goes to *lane (unless NULL). */
bool elect(uint32_t mask, uint32_t *lane, const site *where);

/* ---- a warpgroup's (runtime/tensor/wgmma.cpp) ---- */

/* wgmma.mma_async.sync.aligned.m64nNkK, K of 32 bytes: d[i] is the address of sum i of this thread,
 * n / 2 of them. a_registers: 4 of A, or NULL for a descriptor. */
struct wgmma_shape {
    unsigned n;
    element a_type, b_type;
    bool saturate, negate_a, negate_b, transpose_a, transpose_b;
};
void wgmma(const wgmma_shape &shape, void *const *d, const uint32_t *a_registers, uint64_t a,
           uint64_t b, bool accumulate, const site *where);
/* The same with sums that follow each other. */
void wgmma_of_array(const wgmma_shape &shape, void *sums, const uint32_t *a_registers, uint64_t a,
                    uint64_t b, bool accumulate, const site *where);
void wgmma_fence(const site *where);
void wgmma_commit_group(const site *where);
void wgmma_wait_group(uint32_t newest, const site *where);
void setmaxnreg(bool increase, uint32_t count, const site *where);

} // namespace cudacpu::ptx
#endif
