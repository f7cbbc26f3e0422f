/* fences.h - what fences and atomic functions order: a flag, a lock, the last block to come.
 *
 * A thread that writes a word by an atomic function, or through a volatile pointer, after a
 * __threadfence() releases what it did before the fence, and what it knew. A thread that reads the
 * word in one of these ways knows it then; after a barrier its block does. Lenient: a read counts
 * for whatever is released there, also later: who spins reads often. */
#ifndef CUDACPU_INSPECT_FENCES_H
#define CUDACPU_INSPECT_FENCES_H
#include "observed_worker.h"
#include "races.h"

namespace cudacpu::inspect {

/* The thread that runs: a fence; it is about to write the word; it has read it. order: of the
 * compiler's atomic functions, a release among them is a fence of its own. */
void on_fence();
void before_atomic_write(const volatile void *word, int order);
void after_atomic_read(const volatile void *word);

bool has_fenced(const observed_worker *w, unsigned thread);
/* Did v happen before all that the thread does now? */
bool is_ordered_by_fences(const observed_worker *w, unsigned thread, const visit &v);

} // namespace cudacpu::inspect
#endif
