/* excuses.h - races by the rules that are right all the same: the first read of a loop around
 * atomicCAS, and equal values that several threads write.
 *
 * Whether they are shows later: when the thread that read comes to its atomicCAS; when the write is
 * done. So such a race waits. */
#ifndef CUDACPU_INSPECT_EXCUSES_H
#define CUDACPU_INSPECT_EXCUSES_H
#include "faults.h"
#include "observed.h"
#include <set>

namespace cudacpu::inspect {

/* f is a race of this instruction's plain read with an atomic access. */
void hold_for_exchange(uintptr_t reader, const fault &f);
/* A thread that had read a word by this instruction now exchanges it by atomicCAS. */
void note_exchange(uintptr_t reader);

/* Waits until the block's last write, if it is one of this word, is done: it was announced before,
 * and the block may be run by another OS thread. Else the value before the next write would be the
 * one before both. */
void wait_for_write(uint64_t block, uintptr_t address);
/* f is a race of two writes of this word; the second one is not done yet. */
void hold_for_value(observed_worker *w, uintptr_t address, unsigned size, const fault &f);
/* It is: anything else happens in the block. */
void compare_values(observed_worker *w);
inline void finish_writes(observed_worker *w) {
    if (__builtin_expect(w->writes != nullptr, 0))
        compare_values(w);
    if (w->last_stored)
        __atomic_store_n(&w->last_stored, 0, __ATOMIC_RELEASE);
}
/* The thread that runs begins an access. Of an assignment of structures the compiler announces what
 * is written before what is read, and does both after that. */
inline void begin_access(observed_worker *w, bool write) {
    if (write || !w->is_announced)
        finish_writes(w);
    w->is_announced = write;
}
/* A write of this word was announced, which is not done yet. */
inline void note_stored(observed_worker *w, uintptr_t address) {
    if (!w->last_stored)
        w->first_stored = address;
    w->last_stored = address;
}

/* Where threads have written equal values, for the report: "FILE:LINE: kernel K". */
std::set<std::string> &equal_values();

} // namespace cudacpu::inspect
#endif
