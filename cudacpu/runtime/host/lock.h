/* lock.h - one lock for what the runtime keeps: allocations, streams, limits of kernels. */
#ifndef CUDACPU_RUNTIME_LOCK_H
#define CUDACPU_RUNTIME_LOCK_H

namespace cudacpu {

/* A launch holds it from beginning to end: one launch at a time, and a call of another OS thread
 * waits for it. The OS thread that holds it may lock it once more. */
void lock_runtime();
void unlock_runtime();
bool try_lock_runtime();
bool holds_runtime_lock(); /* does this OS thread? */

/* Holds the lock as long as it exists. */
struct runtime_guard {
    runtime_guard() { lock_runtime(); }
    ~runtime_guard() { unlock_runtime(); }
    runtime_guard(const runtime_guard &) = delete;
};

/* Others may hold it as long as this exists, however often this OS thread had locked it. */
class runtime_unlocked {
    const unsigned depth;

  public:
    runtime_unlocked();
    ~runtime_unlocked();
    runtime_unlocked(const runtime_unlocked &) = delete;
};

} // namespace cudacpu
#endif
