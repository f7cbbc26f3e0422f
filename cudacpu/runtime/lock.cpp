/* lock.cpp - the runtime's lock. */
#include "lock.h"
#include <mutex>

namespace cudacpu {

static std::recursive_mutex mutex;

void lock_runtime() { mutex.lock(); }
void unlock_runtime() { mutex.unlock(); }

} // namespace cudacpu
