/* mbarriers.h - mbarriers order threads, and are themselves used wrongly. */
#ifndef CUDACPU_INSPECT_MBARRIERS_H
#define CUDACPU_INSPECT_MBARRIERS_H
#include "async_operations.h"
#include "knowledge.h"
#include "runtime/host/observer.h"

namespace cudacpu::inspect {

/* Events of the runtime. */
void on_mbarrier_initialised(const uint64_t *barrier, unsigned count, void *caller,
                             const site *where);
void on_mbarrier_invalidated(const uint64_t *barrier, void *caller, const site *where);
void on_mbarrier_arrived(const uint64_t *barrier, unsigned rank, uint64_t phase, const site *where);
void on_mbarrier_waits(const uint64_t *barrier, uint64_t phase, const site *where);
void on_mbarrier_passed(const uint64_t *barrier, uint64_t phase, const site *where);
void on_mbarrier_bytes(const uint64_t *barrier, int bytes, const site *where);

/* A copy or a thread of the worker uses the barrier: NULL where nobody has initialised it, else its
 * record; a fault where the initialisation is not ordered before. by_copy: the asynchronous proxy.
 */
mbarrier_record *use_barrier(observed_worker *w, const uint64_t *barrier, const site *where);
/* A copy counts its bytes in this block's barrier, in the async proxy. */
void check_fenced(const observed_worker *w, const mbarrier_record &b, const site *where);
/* The thread reads what the bulk copy brings without having waited for it: a fault where its last
 * wait for that barrier passed at once, for a phase before. other: the copy. */
void record_wrong_parity(observed_worker *w, unsigned thread, const async_operation &o,
                         const std::string &other);
/* A thread reads what a copy counted by a later phase than the last one that it waited for has
 * brought: has that overwritten what the thread was to read? */
bool was_overwritten(const observed_worker *w, unsigned thread, const async_operation &o);
/* Nobody can go on: who waits for a phase although it has left out the one before? */
void record_skipped_phases(observed_worker *w);
/* The block ends: bytes that were expected and did not come, and the other way round. */
void check_expected_bytes(observed_worker *w);

} // namespace cudacpu::inspect
#endif
