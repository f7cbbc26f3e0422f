/* closed_memory.h - device memory is closed (mprotect) to host code. A launch opens what its
 * arguments point to, and the rest of what its device has access to when a kernel first touches it.
 */
#ifndef CUDACPU_RUNTIME_CLOSED_MEMORY_H
#define CUDACPU_RUNTIME_CLOSED_MEMORY_H
#include "allocation.h"

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

} // namespace cudacpu
#endif
