/* fault.h - a memory fault becomes a sentence with block, thread, file and line, and ends the
 * program. */
#ifndef CUDACPU_RUNTIME_FAULT_H
#define CUDACPU_RUNTIME_FAULT_H

namespace cudacpu {

void install_fault_handler(); /* once a process */
bool has_own_handler();       /* it is still the one that memory faults go to */
/* The stack of the handler in this OS thread, once each that runs kernels; NULL: there is none. And
 * its end, with the thread. */
void *prepare_signal_stack();
void free_signal_stack(void *stack);
/* Where what the runtime keeps of an OS thread is destroyed, so that no thread can be named. */
[[noreturn]] void end_overwritten();

} // namespace cudacpu
#endif
