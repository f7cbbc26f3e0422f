/* fault.h - a memory fault becomes a sentence with block, thread, file and line, and ends the
 * program. */
#ifndef CUDACPU_RUNTIME_FAULT_H
#define CUDACPU_RUNTIME_FAULT_H

namespace cudacpu {

void install_fault_handler(); /* once a process */
bool has_own_handler();       /* it is still the one that memory faults go to */
void prepare_signal_stack();  /* once an OS thread that runs kernels: the handler's stack */
/* Where what the runtime keeps of an OS thread is destroyed, so that no thread can be named. */
[[noreturn]] void end_overwritten();

} // namespace cudacpu
#endif
