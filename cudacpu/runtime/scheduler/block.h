/* block.h - the threads of a block, on fibers: who runs, who waits for what, and how they converge,
 * at a barrier, in a warp or in a warpgroup. */
#ifndef CUDACPU_RUNTIME_BLOCK_H
#define CUDACPU_RUNTIME_BLOCK_H
#include "cudacpu/meeting.h"
#include "runtime/host/text.h"
#include "worker.h"
#include <string>

#if defined(__SANITIZE_ADDRESS__)
#define CUDACPU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CUDACPU_ASAN 1
#endif
#endif
/* ASan clears the stack before a call that does not return, knows no fibers, and complains: it is
 * not told. */
#ifdef CUDACPU_ASAN
#define LEAVES_FIBER
#else
#define LEAVES_FIBER [[noreturn]]
#endif
#if defined(CUDACPU_ASAN) && !defined(CUDACPU_ASSERTS)
#define CUDACPU_ASSERTS
#endif

namespace cudacpu {

/* The worker will run blocks of this launch. */
void begin_work(worker *w, launch_state *l);
/* One of its blocks, from its first thread to the end of its last. */
void run_block(worker *w, uint3 block);
/* Called by a thread that cannot go on: its block ends, and with it the launch. */
LEAVES_FIBER void abort_block();
/* The same, with a sentence: "thread (1,0) at FILE:LINE: TEXT". Returns only on no fiber, when an
 * completion that was pending comes: "TEXT". kind is for the observer. */
void fail_thread(const char *kind, const site *where, const std::string &what);
template <class... Part>
void fail_thread(const char *kind, const site *where, const Part &...parts) {
    fail_thread(kind, where, text(parts...));
}
/* Called by the observer, which has recorded it: the thread that runs is about to write where
 * nothing is the device's, which would destroy what is there. Its launch ends as on a GPU. Returns
 * on no fiber alone. */
void stop_at_write(const std::string &file, int line, const std::string &text);
#ifdef CUDACPU_ASSERTS
/* In the tests' build: ends the program where the scheduler's state is not what worker.h and
 * cluster.h say. */
void assert_that(bool holds, const char *what);
#endif
/* Is an effect of an instruction of the running block late (streams/async_mode.h)? */
bool happens_late_here();
/* Of a thread by its number in the block. */
uint3 index_of(const worker *w, unsigned thread);

/* ---- a thread waits for a condition: an mbarrier's phase, a named barrier, other blocks ---- */

/* Lets the other threads of the block and of its cluster run until ready(argument), which may be
 * asked at any time by any OS thread that runs a block of the cluster, one at a time. describe:
 * what the thread waits for, when nobody can go on and a sentence ends the launch: "thread (0)
 * waits at FILE:LINE for " and this text. Called on a fiber of a kernel. */
void wait_until(bool (*ready)(void *), void *argument, const site *where,
                std::string (*describe)(void *));
/* Lets the others run once: a thread that asks in a loop whether something has happened. A cluster
 * in which nothing else happens for a million times cannot go on. */
void let_others_run(void *argument, const site *where, std::string (*describe)(void *),
                    bool polls_memory = false);

/* The return addresses that lead to a thread's wait for a condition, the innermost first; returns
 * how many. Of a thread of the cluster that runs here, none of which goes on meanwhile. */
int trace_wait(fiber *f, void **frames, int most);

/* ---- what is told of the running thread, or of those that wait (thread_states) ---- */

/* It has come to a warp function, in which it will wait; the call of a thread has its result. */
warp_call *begin_warp_call(worker *w, const warp_call &call);
void end_warp_call(worker *w, unsigned thread);
/* Its group waits in a meeting; all have come, and the last one runs. The others go on in the order
 * of the group, the first of them now, and then who comes after the running one; or, where that
 * cannot be, with those that are awake. Returns who goes on. */
void begin_meeting(worker *w);
fiber *end_meeting(worker *w, const meeting &m);
/* The barrier opens: all that wait go on, in the observer's order. */
void order_waiting(worker *w, const unsigned short *order);

/* ---- barriers ---- */

/* All threads that have not ended (the first count of w->waiting) wait, none of them for its warp.
 * False, after fail_barrier: they wait at different barriers. */
bool open_barrier(worker *w, unsigned count);
bool same_place(const site *s, const site *t);
bool comes_first(const site *s, const site *t); /* in the source */
/* Ends the launch: the threads wait at different barriers, or for a warp that will not come. */
void fail_barrier(worker *w, unsigned count);

/* ---- warps and warpgroups ---- */

/* Does the thread wait in a call for which all lanes of the mask are there? */
bool is_complete_call(worker *w, unsigned thread);
/* If all lanes are there that this thread waits for, and those that they ask: gives each its
 * result, and adds them to w->awake. */
void finish_warp_call(worker *w, unsigned thread);
/* Where nobody else can go on: of the first count of w->waiting the call at the earliest place,
 * also if it asks lanes that are elsewhere. So lanes that diverged come to a later place together.
 */
void finish_earliest_call(worker *w, unsigned count);

/* The meeting that the thread waits in, or NULL; and what it waits for there, or "". */
const meeting *find_meeting(const worker *w, unsigned thread);
unsigned first_in_meeting(const meeting &m);
std::string describe_meeting(const worker *w, unsigned thread);

} // namespace cudacpu
#endif
