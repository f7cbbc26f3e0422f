/* waiting.h - a thread of a kernel that waits for a condition: an mbarrier's phase, a named
 * barrier, the other blocks of its cluster. */
#ifndef CUDACPU_RUNTIME_WAITING_H
#define CUDACPU_RUNTIME_WAITING_H
#include "cudacpu/site.h"
#include <string>

namespace cudacpu {

/* Lets the other threads of the block and of its cluster run until ready(argument), which may be
 * asked at any time by any OS thread that runs a block of the cluster, one at a time. describe:
 * what the thread waits for, for the sentence that ends the launch when nobody can go on: "at
 * FILE:LINE for ...". Called on a fiber of a kernel. */
void wait_until(bool (*ready)(void *), void *argument, const site *where,
                std::string (*describe)(void *));

struct worker;
/* Adds to w->awake those of the first count of w->waiting whose condition holds. */
void wake_ready(worker *w, unsigned count);
/* The oldest effect happens; false: there is none. */
bool perform_effect(worker *w);

} // namespace cudacpu
#endif
