/* watch.h - watches the pages around damage: one instruction at a time, until one of them does it
 * again (x86-64). */
#ifndef CUDACPU_RUNTIME_WATCH_H
#define CUDACPU_RUNTIME_WATCH_H
#include "closed_memory.h"
#include <ucontext.h>

namespace cudacpu {

bool can_watch(); /* on this machine */
/* From now on each access to the pages of found.where is a fault. */
void watch(const damage &found);
/* In the handler of a fault of a kernel, at pc: if it touched the watched pages, lets it, for that
 * one instruction; a SIGTRAP follows. */
bool step_over_access(const allocation *where, const char *address, void *pc, ucontext_t *u);
/* In the handler of SIGTRAP: the instruction that was let, or NULL; then the pages are still open.
 * address: of its access. */
void *end_step(ucontext_t *u, const char **address);
void watch_again();

} // namespace cudacpu
#endif
