/* block.h - runs the threads of a block, one after the other, from barrier to barrier. */
#ifndef CUDACPU_RUNTIME_BLOCK_H
#define CUDACPU_RUNTIME_BLOCK_H
#include "worker.h"

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

/* Block `number` of the worker's launch, from its first thread to the end of its last. */
void run_block(worker *w, uint64_t number);
/* Called by a thread that cannot go on: its block ends, and with it the launch. */
LEAVES_FIBER void abort_block();

} // namespace cudacpu
#endif
