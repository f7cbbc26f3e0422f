/* collective.h - instructions that the threads of a warp or a warpgroup execute together.
 *
 * meet is inlined into the instruction: on a fiber each return from a function is mispredicted. */
#ifndef CUDACPU_RUNTIME_COLLECTIVE_H
#define CUDACPU_RUNTIME_COLLECTIVE_H
#include "worker.h"
#include <string>

namespace cudacpu {

/* What the thread waits for in a meeting; "" where it is in none. */
std::string describe_meeting(const worker *w, unsigned thread);
/* The running thread has come to another instruction than others of its group, or to one that its
 * block has too few threads for: ends the launch. */
void check_meeting(meeting *m, unsigned first, unsigned count, void (*run)(void **, unsigned),
                   const site *where, const char *what);
void finish_meeting(meeting *m, void **all);

/* Returns once the count threads from first on (a warp's 32, a warpgroup's 128) have called it with
 * the same run, each with a pointer of its own (not NULL, it may point into its stack): the last
 * one calls run(all, count), where all[i] is the pointer of thread first + i, and all go on. Ends
 * the launch where they call it at different places or a thread of them has ended. what: the
 * instruction's name, for the sentence. first is a multiple of count. */
__attribute__((always_inline)) inline void meet(unsigned first, unsigned count, void *mine,
                                                void (*run)(void **all, unsigned count),
                                                const site *where, const char *what) {
    worker *w = self;
    fiber *f = cudacpu_current;
    if (__builtin_expect(!f, 0))
        wait_outside_kernel(where);
    meeting *m = &w->meetings[count != 32][first / 32];
    void **all = &w->met[count != 32][first];
    if (__builtin_expect(m->come == 0 || m->where != where || m->run != run, 0))
        check_meeting(m, first, count, run, where, what);
    all[f->thread - first] = mine;
    if (++m->come == count) {
        finish_meeting(m, all);
        return;
    }
    f->where = where;
    go_to_next(f);
}

} // namespace cudacpu
#endif
