/* deadlock.h - what to say when no thread can go on. */
#ifndef CUDACPU_RUNTIME_DEADLOCK_H
#define CUDACPU_RUNTIME_DEADLOCK_H
#include "cluster.h"

namespace cudacpu {

/* Ends the launch: each thread of the cluster waits or has ended, and nothing is still to come. */
void fail_deadlock(const cluster *c);

} // namespace cudacpu
#endif
