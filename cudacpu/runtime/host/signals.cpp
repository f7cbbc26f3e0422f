/* signals.cpp - installs the handlers, and what a handler asks of the machine. */
#include "signals.h"
#include "process.h"
#include <atomic>
#include <cstdint>
#include <cstring>
#include <execinfo.h>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

namespace cudacpu {

#if defined(__x86_64__)
char *stack_pointer(ucontext_t *u) { return (char *)u->uc_mcontext.gregs[REG_RSP]; }
void *program_counter(ucontext_t *u) { return (void *)u->uc_mcontext.gregs[REG_RIP]; }
int was_write(ucontext_t *u) { return (int)(u->uc_mcontext.gregs[REG_ERR] >> 1 & 1); }
#elif defined(__aarch64__)
char *stack_pointer(ucontext_t *u) { return (char *)u->uc_mcontext.sp; }
void *program_counter(ucontext_t *u) { return (void *)u->uc_mcontext.pc; }
int was_write(ucontext_t *u) {
    for (char *p = (char *)u->uc_mcontext.__reserved;;) {
        uint32_t magic, size;
        memcpy(&magic, p, 4);
        memcpy(&size, p + 4, 4);
        if (magic == 0 || size == 0)
            break;                  /* as under qemu-user */
        if (magic == 0x45535201u) { /* ESR_MAGIC */
            uint64_t esr;
            memcpy(&esr, p + 8, 8);
            return (int)(esr >> 6 & 1);
        }
        p += size;
    }
    uint32_t instruction; /* loads and stores differ in one bit */
    memcpy(&instruction, program_counter(u), sizeof instruction);
    return (instruction & 0x0a000000u) == 0x08000000u ? !(instruction >> 22 & 1) : -1;
}
#else
char *stack_pointer(ucontext_t *) { return nullptr; }
void *program_counter(ucontext_t *) { return nullptr; }
int was_write(ucontext_t *) { return -1; }
#endif

void end_overwritten() {
    static const char text[] =
        "cudacpu: a memory fault, and what cudacpu keeps of this OS thread is overwritten; a "
        "write past a __shared__ or __device__ array, or past a static one of host code, can do "
        "that: cpucc --inspect names the first\n";
    enum { TOLD = 0x701D701D }; /* it may be overwritten, too */
    static std::atomic<int> told;
    if (told.exchange(TOLD) == TOLD || write(2, text, sizeof text - 1) < 0)
        _exit(1);
    end_process(1);
}

namespace {

const unsigned PATIENCE = 10; /* seconds in which the handler gets nothing done */
clockid_t handler_clock;      /* of its OS thread */
timespec handler_time;

void on_stuck(int, siginfo_t *, void *) {
    const timespec before = handler_time;
    static const char text[] = "cudacpu: the signal came while the program held a lock that the "
                               "report needs: it ends without one\n";
    if (clock_gettime(handler_clock, &handler_time) != 0 ||
        (before.tv_sec == handler_time.tv_sec && handler_time.tv_nsec - before.tv_nsec < 1000000)) {
        if (write(2, text, sizeof text - 1) < 0)
            _exit(1);
        _exit(1);
    }
    alarm(PATIENCE);
}

/* One on the stack of the handlers is a fault in a handler: what it needs is destroyed. */
void on_fault(int number, siginfo_t *info, void *context) {
    ucontext_t *u = (ucontext_t *)context;
    if ((uintptr_t)stack_pointer(u) - (uintptr_t)u->uc_stack.ss_sp < u->uc_stack.ss_size)
        end_overwritten();
    meet_fault(number, info, u);
}
void on_step(int, siginfo_t *, void *context) { meet_step((ucontext_t *)context); }
void on_quit(int, siginfo_t *, void *context) { meet_quit((ucontext_t *)context); }

void set_handler(int number, int flags, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction action = {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | flags;
    sigaction(number, &action, nullptr);
}

const size_t SIGNAL_STACK = 128 * 1024;

} // namespace

void end_if_stuck() {
    pthread_getcpuclockid(pthread_self(), &handler_clock);
    clock_gettime(handler_clock, &handler_time);
    set_handler(SIGALRM, SA_NODEFER | SA_RESTART, on_stuck);
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarms, nullptr);
    alarm(PATIENCE);
}

void *prepare_signal_stack() {
    sigset_t faults; /* blocked, one would end the program without a word */
    sigemptyset(&faults);
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGTRAP})
        sigaddset(&faults, number);
    pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
    void *memory =
        mmap(nullptr, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return nullptr;
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = SIGNAL_STACK;
    sigaltstack(&stack, nullptr);
    return memory;
}
void free_signal_stack(void *memory) {
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    if (!memory || sigaltstack(&none, nullptr) != 0)
        return;
    munmap(memory, SIGNAL_STACK);
}

/* Also before main: host code may touch what is not its own before it calls anything. */
static __attribute__((constructor)) void set_handlers() {
    stack_t now; /* of the thread that calls CUDA first */
    if (sigaltstack(nullptr, &now) == 0 && now.ss_flags & SS_DISABLE)
        prepare_signal_stack();
    for (int number : {SIGSEGV, SIGBUS, SIGFPE})
        set_handler(number, SA_NODEFER, on_fault);
    set_handler(SIGTRAP, 0, on_step);
    set_handler(SIGQUIT, 0, on_quit);
}

bool has_own_handler() {
    struct sigaction now;
    return sigaction(SIGSEGV, nullptr, &now) == 0 && now.sa_sigaction == on_fault;
}

/* Once more: the program may have set its own. */
void install_fault_handler() {
    static std::once_flag once;
    std::call_once(once, [] {
        void *frame;
        backtrace(&frame, 1); /* loads the unwinder: not in a handler, nor before main */
        set_handlers();
    });
}

} // namespace cudacpu
