/* signals.h - signal handlers: SIGSEGV and its kin, single steps, SIGQUIT, on a stack of their own
 * (sigaltstack). */
#ifndef CUDACPU_RUNTIME_SIGNALS_H
#define CUDACPU_RUNTIME_SIGNALS_H
#include <signal.h>
#include <ucontext.h>

namespace cudacpu {

void install_fault_handler(); /* once a process */
bool has_own_handler();       /* it is still the one that memory faults go to */

/* The stack of the handler in this OS thread, once each that runs kernels; NULL: there is none. And
 * its end, with the thread. */
void *prepare_signal_stack();
void free_signal_stack(void *stack);
/* Where what the runtime keeps of an OS thread is destroyed, so that no thread can be named. */
[[noreturn]] void end_overwritten();
/* In the handler of a signal, before it uses what has locks, malloc's among them: the interrupted
 * code may hold one. If so, the process ends with a sentence. */
void end_if_stuck();

/* Of the interrupted code; NULL: not known here. */
char *stack_pointer(ucontext_t *u);
void *program_counter(ucontext_t *u);
/* 1: it wrote, 0: it read, -1: cannot tell */
int was_write(ucontext_t *u);

/* What the handlers do. It takes to know who runs, and what lies where: so this is defined above,
 * in scheduler/faults.cpp, and the linker brings it; nothing else of this layer calls upwards. */
void meet_fault(int number, siginfo_t *info, ucontext_t *u);
void meet_step(ucontext_t *u);
void meet_quit(ucontext_t *u);

} // namespace cudacpu
#endif
