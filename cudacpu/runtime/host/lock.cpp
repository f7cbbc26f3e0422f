/* lock.cpp - the runtime's lock. */
#include "lock.h"
#include <mutex>

namespace cudacpu {

static std::recursive_mutex mutex;

static thread_local unsigned locked; /* how often, by this OS thread */

void lock_runtime() {
    mutex.lock();
    locked++;
}
bool try_lock_runtime() {
    const bool done = mutex.try_lock();
    locked += done;
    return done;
}
void unlock_runtime() {
    locked--;
    mutex.unlock();
}

bool holds_runtime_lock() { return locked; }

runtime_unlocked::runtime_unlocked() : depth(locked) {
    while (locked)
        unlock_runtime();
}
runtime_unlocked::~runtime_unlocked() {
    while (locked < depth)
        lock_runtime();
}

} // namespace cudacpu
