/* waiting.h - a thread of a kernel that waits for a condition: an mbarrier's phase, a named
 * barrier, the other blocks of its cluster. */
#ifndef CUDACPU_RUNTIME_WAITING_H
#define CUDACPU_RUNTIME_WAITING_H
#include "cudacpu/site.h"
#include <string>

namespace cudacpu {

struct fiber;
struct worker;

/* Lets the other threads of the block and of its cluster run until ready(argument), which may be
 * asked at any time by any OS thread that runs a block of the cluster, one at a time. describe:
 * what the thread waits for, when nobody can go on and a sentence ends the launch: "thread (0)
 * waits at FILE:LINE for " and this text. Called on a fiber of a kernel. */
void wait_until(bool (*ready)(void *), void *argument, const site *where,
                std::string (*describe)(void *));
/* Lets the others run once: a thread that asks in a loop whether something has happened. A cluster
 * in which nothing else happens for a million times cannot go on. */
void let_others_run(void *argument, const site *where, std::string (*describe)(void *));

/* What a thread waits for; describe is NULL while it does not. ready is NULL for one that another
 * thread wakes (collective.h). */
struct condition {
    bool (*ready)(void *);
    void *argument;
    std::string (*describe)(void *);
};

/* The return addresses that lead to a thread's wait for a condition, the innermost first; returns
 * how many. Of a thread of the cluster that runs here, none of which goes on meanwhile. */
int trace_wait(fiber *f, void **frames, int most);

/* This thread goes on. */
void wake(worker *w, unsigned thread);
/* Wakes those of the first count of w->waiting whose condition holds. */
void wake_ready(worker *w, unsigned count);
/* Wakes those that only let others run, if it is their turn. */
void wake_spinning(worker *w, unsigned count);

} // namespace cudacpu
#endif
