/* block.h - runs the threads of a block, one after the other, from barrier to barrier. */
#ifndef CUDACPU_RUNTIME_BLOCK_H
#define CUDACPU_RUNTIME_BLOCK_H
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

namespace cudacpu {

/* The worker will run blocks of this launch. */
void begin_work(worker *w, launch_state *l);
/* One of its blocks, from its first thread to the end of its last. */
void run_block(worker *w, uint3 block);
/* Called by a thread that cannot go on: its block ends, and with it the launch. */
LEAVES_FIBER void abort_block();
/* The same, with a sentence: "thread (1,0) at FILE:LINE: TEXT". Returns only on no fiber, when an
 * effect that was still to come is performed: "TEXT". kind is for the observer. */
void fail_thread(const char *kind, const site *where, const std::string &text);
/* Called by the observer, which has recorded it: the thread that runs is about to write where
 * nothing is the device's, which would destroy what is there. Its launch ends as on a GPU. Returns
 * on no fiber alone. */
void stop_at_write(const std::string &file, int line, const std::string &text);
/* Is an effect of an instruction of the running block late (streams/async_mode.h)? */
bool happens_late_here();
/* Of a thread by its number in the block. */
uint3 index_of(const worker *w, unsigned thread);

} // namespace cudacpu
#endif
