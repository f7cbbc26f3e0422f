/* mbarriers.h - mbarriers order threads, and are themselves used wrongly. */
#ifndef CUDACPU_INSPECT_MBARRIERS_H
#define CUDACPU_INSPECT_MBARRIERS_H
#include "async_operations.h"
#include "knowledge.h"

namespace cudacpu::inspect {

/* A copy or a thread of the worker uses the barrier: NULL where nobody has initialised it, else its
 * record; a fault where the initialisation is not ordered before. by_copy: the asynchronous proxy.
 */
mbarrier_record *use_barrier(observed_worker *w, const uint64_t *barrier, const site *where);
/* The thread that runs, or its copies, arrive at the barrier. */
void note_arrival(const uint64_t *barrier, uint64_t phase, const site *where);
/* A copy counts its bytes in this block's barrier, in the async proxy. */
void check_fenced(const observed_worker *w, const mbarrier_record &b, const site *where);
/* The thread reads what the bulk copy brings without having waited for it: a fault where its last
 * wait for that barrier passed at once, for a phase before. other: the copy. */
void record_wrong_parity(observed_worker *w, unsigned thread, const async_operation &o,
                         const std::string &other);
/* A thread reads what a copy counted by a later phase than the last one that it waited for has
 * brought: has that overwritten what the thread was to read? */
bool was_overwritten(const observed_worker *w, unsigned thread, const async_operation &o);

} // namespace cudacpu::inspect
#endif
