/* barriers.h - mbarriers, in shared memory, and named barriers (bar.sync) of a block: which there
 * are, and what asynchronous copies tell them; and what these share. */
#ifndef CUDACPU_RUNTIME_BARRIERS_H
#define CUDACPU_RUNTIME_BARRIERS_H
#include "cudacpu/site.h"
#include "runtime/scheduler/worker.h"
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cudacpu {

/* Bytes that this barrier, of any block of the cluster, waits for have arrived: complete_tx. Ends
 * the launch where there is no barrier. Can be called on no fiber: then the launch has failed when
 * it returns, or all is well. */
void complete_bytes(uint64_t *barrier, unsigned bytes);

/* The number of the phase that arrivals are for; 0 where there is no barrier. Weak: an observer,
 * which asks for it, is also linked where a program has none of these instructions. */
__attribute__((weak)) uint64_t current_phase(const uint64_t *barrier);
/* What cp.async.mbarrier.arrive needs: one more arrival is pending; it comes, perhaps on no fiber.
 */
void expect_arrival(uint64_t *barrier, const site *where);
void arrive_for_copies(uint64_t *barrier);

/* ---- TMA bulk copies: what those of more/bulk_copies.cpp share with the loads ---- */

/* Size and addresses are multiples of 16. */
void check_bulk(const void *to, const void *from, unsigned bytes, const site *where);
/* The bytes of global memory that a bulk copy reads or writes lie in one allocation. */
void check_global(const void *p, unsigned bytes, bool write, const site *where);
/* The bytes of shared memory that begin at address; the window ends the launch outside of it. */
char *shared_range(uint32_t address, unsigned bytes, const site *where);
struct bulk_load {
    void *to;
    const void *from;
    unsigned bytes;
    uint64_t *barrier;
};
/* It comes now or late, to the block of this rank. */
void start_load(const bulk_load &l, unsigned rank, const site *where, void *caller);

/* What is known of a barrier besides its 64 bits: these as they should be, the number of its phase,
 * the place of its mbarrier.init. */
struct mbarrier_record {
    bool valid; /* not any longer after mbarrier.inval */
    uint64_t bits, phase;
    site where;
};
typedef std::unordered_map<uint64_t *, mbarrier_record> mbarriers; /* by address on the host */

/* bar.sync and barrier.sync: 16 barriers of a block, each for some of its threads. */
const unsigned NAMED_BARRIERS = 16;

struct named_barrier {
    const worker *block;
    unsigned number, expected;     /* threads */
    bool whole;                    /* of the whole block: threads that ended are not missing */
    unsigned arrived;              /* threads, so far */
    std::vector<unsigned> waiting; /* those of them that wait */
    uint64_t opened;               /* how often */
    void forget() {
        arrived = 0;
        waiting.clear();
    }
};

/* Those of a worker's block. At its end: warns of bytes that an mbarrier still expects, or that
 * nobody has. */
struct block_barriers : block_records {
    mbarriers known;
    named_barrier named[NAMED_BARRIERS] = {};
    void end_block(worker *w) override;
};
block_barriers *barriers_of(worker *w);

} // namespace cudacpu
#endif
