/* mbarrier.h - barriers in shared memory: what asynchronous copies tell them, and which of them a
 * block has. */
#ifndef CUDACPU_RUNTIME_MBARRIER_H
#define CUDACPU_RUNTIME_MBARRIER_H
#include "cudacpu/site.h"
#include <cstdint>
#include <unordered_map>

namespace cudacpu {

struct worker;

/* Bytes that this barrier, of any block of the cluster, waits for have arrived: complete_tx. Ends
 * the launch where there is no barrier. Can be called on no fiber: then the launch has failed when
 * it returns, or all is well. */
void complete_bytes(uint64_t *barrier, unsigned bytes);

/* The number of the phase that arrivals are for; 0 where there is no barrier. */
uint64_t current_phase(const uint64_t *barrier);
/* What cp.async.mbarrier.arrive needs: one more arrival is pending; it comes, perhaps on no fiber.
 */
void expect_arrival(uint64_t *barrier, const site *where);
void arrive_for_copies(uint64_t *barrier);

/* What is known of a barrier besides its 64 bits: these as they should be, the number of its phase,
 * the place of its mbarrier.init. */
struct mbarrier_record {
    bool valid; /* not any longer after mbarrier.inval */
    uint64_t bits, phase;
    site where;
};
typedef std::unordered_map<uint64_t *, mbarrier_record> mbarriers; /* by address on the host */

/* At the end of a block: warns of bytes that are still expected, or that nobody has. */
void forget_mbarriers(worker *w);

} // namespace cudacpu
#endif
