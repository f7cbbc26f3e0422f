/* protection.h - page protection: device memory is closed (mprotect) to host code. A launch opens
 * what its arguments point to, and the rest of what its device has access to when a kernel first
 * touches it. And watchpoints: the pages around damage, opened for one instruction at a time, until
 * one of them does it again (x86-64). */
#ifndef CUDACPU_RUNTIME_PROTECTION_H
#define CUDACPU_RUNTIME_PROTECTION_H
#include "allocation.h"
#include <ucontext.h>

namespace cudacpu {

/* What lies around the data of an allocation. */
const unsigned char PATTERN = 0xA5;

/* An allocation is made, with all its pages open, or is no more. */
void begin_protection(allocation *a);
void end_protection(allocation *a);
/* Opens the allocation that holds pointer to host code, or closes it; nothing but opening during a
 * launch. */
void set_host_access(const void *pointer, bool accessible);
/* A launch on the current device: its memory may be opened, and the runtime's lock is held, from
 * one to the other. The arguments are bytes. */
void open_memory(const void *arguments, size_t bytes);
void close_memory();
/* From now on memory is open whenever it is allocated: before any is. */
void keep_memory_open();
/* In the handler of a fault: opens memory that the launch's device has access to. False: it was not
 * closed on this account. */
bool open_touched(allocation *a, const void *address, int device);

/* An allocation's pattern, destroyed by a write outside its data. */
struct damage {
    const allocation *where;
    char *first; /* the first byte whose pattern is gone */
};
/* In what the launch has opened, and in what is never closed. */
bool find_damage(damage *found);
void restore_pattern(const damage &found);

/* ---- watchpoints ---- */

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
