/* registers.h - the registers that wgmma uses while it is on its way: a thread's sums, which lie on
 * its stack. */
#ifndef CUDACPU_INSPECT_REGISTERS_H
#define CUDACPU_INSPECT_REGISTERS_H
#include "access_log.h"
#include "runtime/observer.h"

namespace cudacpu::inspect {

/* An access to a stack: a fault where a wgmma that the thread has not waited for still writes. */
void check_registers(observed_worker *w, const instruction *s, uintptr_t address, unsigned size);
/* The block begins: nothing is on its way. */
void begin_registers(observed_worker *w);

/* wgmma of the thread. */
void issue_to_registers(observed_worker *w, unsigned thread, const wgmma_operation &o);
void fence_registers(observed_worker *w, unsigned thread);
void commit_registers(observed_worker *w, unsigned thread);
void wait_for_registers(observed_worker *w, unsigned thread, size_t newest);

} // namespace cudacpu::inspect
#endif
