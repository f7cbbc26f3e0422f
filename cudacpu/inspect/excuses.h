/* excuses.h - races by the rules that are right all the same: the first read of a loop around
 * atomicCAS, and equal values that several threads write.
 *
 * Whether they are shows later: when the thread that read comes to its atomicCAS; when the write is
 * done. So such a race waits. */
#ifndef CUDACPU_INSPECT_EXCUSES_H
#define CUDACPU_INSPECT_EXCUSES_H
#include "faults.h"
#include "observed_worker.h"

namespace cudacpu::inspect {

/* f is a race of this instruction's plain read with an atomic access. */
void hold_for_exchange(uintptr_t reader, const fault &f);
/* A thread that had read a word by this instruction now exchanges it by atomicCAS. */
void note_exchange(uintptr_t reader);
/* The launch ends: those whose readers never came to an atomicCAS are faults. */
void record_held_faults();

/* f is a race of two writes of this word; the second one is not done yet. */
void hold_for_value(observed_worker *w, uintptr_t address, unsigned size, const fault &f);
/* It is: anything else happens in the block. */
void compare_values(observed_worker *w);
inline void finish_writes(observed_worker *w) {
    if (__builtin_expect(w->writes != nullptr, 0))
        compare_values(w);
}

/* Where threads have written equal values, for the report: "FILE:LINE: kernel K". */
const std::vector<std::string> &equal_values();

} // namespace cudacpu::inspect
#endif
