/* collective.h - instructions that the threads of a warp or a warpgroup execute together. */
#ifndef CUDACPU_RUNTIME_COLLECTIVE_H
#define CUDACPU_RUNTIME_COLLECTIVE_H
#include "cudacpu/site.h"

namespace cudacpu {

struct worker;

/* Returns once the count threads from first_thread on (a warp's 32, a warpgroup's 128) have called
 * it with the same run, each with a pointer of its own (which may point into its stack): the last
 * one calls run(all, count), where all[i] is the pointer of thread first_thread + i, and all go on.
 * Ends the launch where they call it at different places or a thread of them has ended. what: the
 * instruction's name, for the sentence. first_thread is a multiple of count. */
void meet(unsigned first_thread, unsigned count, void *mine,
          void (*run)(void **all, unsigned count), const site *where, const char *what);

/* Threads that have come to such an instruction, while others are still to come. */
struct meeting {
    const worker *block;
    void (*run)(void **all, unsigned count);
    const site *where;
    const char *what;
    unsigned first, count, come;
};

} // namespace cudacpu
#endif
