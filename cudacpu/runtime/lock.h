/* lock.h - one lock for what the runtime keeps: allocations, streams, limits of kernels. */
#ifndef CUDACPU_RUNTIME_LOCK_H
#define CUDACPU_RUNTIME_LOCK_H
#include <mutex>

namespace cudacpu {

/* A launch holds it from beginning to end: one launch at a time, and a call of another OS thread
 * waits for it. */
inline std::recursive_mutex runtime_lock;
typedef std::lock_guard<std::recursive_mutex> runtime_guard;

} // namespace cudacpu
#endif
