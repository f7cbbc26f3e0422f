/* fault.cpp - the handlers of SIGSEGV and its kin: what was touched, by whom, where. */
#include "fault.h"
#include "allocation.h"
#include "closed_memory.h"
#include "devices.h"
#include "host_pages.h"
#include "launch.h"
#include "lock.h"
#include "pointer_text.h"
#include "program.h"
#include "source_place.h"
#include "watch.h"
#include "worker.h"
#include <atomic>
#include <cstdio>
#include <cstring>
#include <execinfo.h>
#include <mutex>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace cudacpu {
namespace {

/* NULL: not known here. */
char *stack_pointer(ucontext_t *u) {
#if defined(__x86_64__)
    return (char *)u->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (char *)u->uc_mcontext.sp;
#else
    (void)u;
    return nullptr;
#endif
}

void *program_counter(ucontext_t *u) {
#if defined(__x86_64__)
    return (void *)u->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (void *)u->uc_mcontext.pc;
#else
    (void)u;
    return nullptr;
#endif
}

/* Did the fault happen on the stack of the handlers, that is within one of them? */
bool is_in_handler(const ucontext_t *u) {
#if defined(__x86_64__)
    const uintptr_t sp = (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    const uintptr_t sp = (uintptr_t)u->uc_mcontext.sp;
#else
    const uintptr_t sp = 0;
#endif
    return sp - (uintptr_t)u->uc_stack.ss_sp < u->uc_stack.ss_size;
}

/* 1: it wrote, 0: it read, -1: cannot tell */
int was_write(ucontext_t *u) {
#if defined(__x86_64__)
    return (int)(u->uc_mcontext.gregs[REG_ERR] >> 1 & 1);
#elif defined(__aarch64__)
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
#else
    (void)u;
    return -1;
#endif
}

/* Of memory of another device, which it has no access to. */
bool is_anothers(const allocation *a, const char *address, const running_thread &who) {
    return a->kind == DEVICE_MEMORY && !a->freed && !may_touch(who.device, *a) &&
           address >= a->data && address < a->data + a->bytes;
}

void say_range(char *out, size_t size, const allocation *a, const char *address) {
    const std::string freed_at = a->freed ? place_of(a->freed_by) : "";
    const std::string told = freed_at.empty() ? "" : " at " + freed_at;
    const std::string state = a->freed ? " that was freed" + told : "";
    const std::string owner = a->kind == DEVICE_MEMORY ? of_device(a->device) : "";
    if (address >= a->data + a->bytes)
        snprintf(out, size, "%s past a %zu-byte allocation%s%s",
                 count_bytes((size_t)(address - (a->data + a->bytes)) + 1).c_str(), a->bytes,
                 owner.c_str(), state.c_str());
    else if (address < a->data)
        snprintf(out, size, "%s before a %zu-byte allocation%s%s",
                 count_bytes((size_t)(a->data - address)).c_str(), a->bytes, owner.c_str(),
                 state.c_str());
    else
        snprintf(out, size, "in a %zu-byte allocation%s%s", a->bytes, owner.c_str(), state.c_str());
}

void say_thread(char *out, size_t size, const running_thread &who) {
    char block[64], thread[64];
    snprintf(block, sizeof block, who.block.z ? "(%u,%u,%u)" : "(%u,%u)", who.block.x, who.block.y,
             who.block.z);
    snprintf(thread, sizeof thread, who.thread.z ? "(%u,%u,%u)" : "(%u,%u)", who.thread.x,
             who.thread.y, who.thread.z);
    snprintf(out, size, "kernel %s%s: block %s thread %s", who.kernel,
             on_device(who.device).c_str(), block, thread);
}

struct memory_fault {
    int signal;
    const siginfo_t *info;
    char *address, *stack;     /* stack: its pointer */
    const allocation *touched; /* or NULL */
    const char *verb, *at;     /* "wrote", ", at file:line" */
};

void say_kernel_fault(const memory_fault &f, const running_thread &who) {
    char range[4400], name[256];
    say_thread(name, sizeof name, who);
    const ptrdiff_t in_shared = f.address - cudacpu_dynamic_shared;
    if (f.signal == SIGFPE)
        fprintf(stderr, "cudacpu: %s divided an integer by zero%s; a GPU goes on with any value\n",
                name, f.at);
    else if (f.info->si_code == SI_KERNEL) /* the address is not told */
        fprintf(stderr,
                "cudacpu: %s used an address that is not a multiple of the size of what is "
                "there%s\n",
                name, f.at);
    else if (in_stack_guard(f.address))
        fprintf(stderr, "cudacpu: %s used more than its 256 KB of stack%s\n", name, f.at);
    else if (f.touched && is_anothers(f.touched, f.address, who)) {
        fprintf(stderr,
                "cudacpu: %s %s byte %td of a %zu-byte allocation of device %d, to which it has no "
                "access%s; %s gives it\n",
                name, f.verb, f.address - f.touched->data, f.touched->bytes, f.touched->device,
                f.at, f.touched->access ? "cudaMemPoolSetAccess" : "cudaDeviceEnablePeerAccess");
    } else if (f.touched) {
        say_range(range, sizeof range, f.touched, f.address);
        fprintf(stderr, "cudacpu: %s %s %s%s\n", name, f.verb, range, f.at);
    } else if (in_shared >= 0 && in_shared < (ptrdiff_t)(SHARED + SHARED_GUARD))
        fprintf(stderr, "cudacpu: %s %s byte %td of dynamic shared memory, past its end%s\n", name,
                f.verb, in_shared, f.at);
    else if ((size_t)f.address < 65536)
        fprintf(stderr, "cudacpu: %s %s through a null pointer (address %zu)%s\n", name, f.verb,
                (size_t)f.address, f.at);
    else
        fprintf(stderr, "cudacpu: %s %s address %p, which is in no allocation%s\n", name, f.verb,
                (void *)f.address, f.at);
}

/* What is below the stack's pointer is not there, or the pointer is beyond what is. */
bool is_stack_used_up(const memory_fault &f) {
    enum { NEAR = 64 * 1024 };
    unsigned char there;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return f.stack && ((f.address > f.stack - NEAR && f.address < f.stack + NEAR) ||
                       mincore((void *)((uintptr_t)f.stack / page * page), page, &there) != 0);
}

void say_host_fault(const memory_fault &f) {
    char range[4400];
    if (f.touched)
        say_range(range, sizeof range, f.touched, f.address);
    if (f.touched && f.touched->kind == DEVICE_MEMORY)
        fprintf(stderr,
                "cudacpu: host code used a device pointer (it %s %s)%s; cudaMemcpy copies between "
                "host and device\n",
                f.verb, range, f.at);
    else if (f.touched)
        fprintf(stderr, "cudacpu: host code %s %s%s\n", f.verb, range, f.at);
    else if (f.signal == SIGSEGV && is_stack_used_up(f))
        fprintf(stderr,
                "cudacpu: host code used more stack than it has%s: a recursion without an end, or "
                "large arrays in functions\n",
                f.at);
    else if (f.info->si_code == SI_KERNEL) /* the address is not told */
        fprintf(
            stderr,
            "cudacpu: host code used an address that no program has%s: a pointer that something "
            "was written over, or that was never set\n",
            f.at);
    else
        fprintf(stderr, "host code %s address %p, which is not its own%s (%s)\n", f.verb,
                (void *)f.address, f.at, f.signal == SIGBUS ? "bus error" : "segmentation fault");
}

} // namespace

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
void on_fault(int number, siginfo_t *info, void *context) {
    static std::mutex first;
    ucontext_t *u = (ucontext_t *)context;
    if (is_in_handler(u)) /* a fault in the handler of a fault: what it needs is destroyed */
        end_overwritten();
    char *address = (char *)info->si_addr;
    allocation *touched = info->si_code > 0 ? find_in_handler(address) : nullptr;
    running_thread who;
    bool device = find_running_thread(&who);
    if (number == SIGFPE && !device) { /* host code divides as it does anywhere */
        signal(SIGFPE, SIG_DFL);
        return;
    }
    if (device && step_over_access(touched, address, program_counter(u), u))
        return;
    if (info->si_code == SEGV_ACCERR && touched && !touched->freed &&
        (device || holds_runtime_lock()) &&
        open_touched(touched, address, device ? who.device : current_device()))
        return;
    if (number == SIGSEGV && touched && !device &&
        host_met_closed_page(address, was_write(u) != 0, program_counter(u)))
        return;
    first.lock(); /* the first fault speaks and ends the process */
    end_if_stuck();
    fflush(stdout);
    char place[4200], at[4210];
    find_innermost_place(program_counter(u), place, sizeof place);
    snprintf(at, sizeof at, "%s%s", place[0] ? ", at " : "", place);
    const int write = was_write(u);
    const memory_fault fault = {number,  info,
                                address, stack_pointer(u),
                                touched, write == 1 ? "wrote" : write == 0 ? "read" : "used",
                                at};
    if (device)
        say_kernel_fault(fault, who);
    else
        say_host_fault(fault);
    end_process(1);
}

/* After an access to watched pages. */
void on_step(int, siginfo_t *, void *context) {
    const char *from;
    void *pc = end_step((ucontext_t *)context, &from);
    if (!pc)
        return;
    damage now;
    running_thread who;
    if (find_damage(&now) && find_running_thread(&who)) {
        char place[4200], range[4400], name[256];
        find_place(pc, place, sizeof place);
        say_thread(name, sizeof name, who);
        /* what it wrote may begin with bytes of the pattern; an access may begin before the end */
        const char *const end = now.where->data + now.where->bytes;
        if (from > now.first)
            from = now.first;
        say_range(range, sizeof range, now.where, now.first >= end && from < end ? end : from);
        fprintf(stderr, "cudacpu: %s wrote %s%s%s\n", name, range, place[0] ? ", at " : "", place);
        end_process(1);
    }
    watch_again();
}

/* Asked to quit: it says where it is, which is a loop without an end most of the time. */
void on_quit(int, siginfo_t *, void *context) {
    char place[4200], name[256];
    running_thread who;
    end_if_stuck();
    const bool device = find_running_thread(&who);
    find_innermost_place(program_counter((ucontext_t *)context), place, sizeof place);
    if (device)
        say_thread(name, sizeof name, who);
    const char *at = place[0] ? ", at " : "";
    if (device && !place[0]) { /* a loop of which no line is left */
        at = ", launched at ";
        snprintf(place, sizeof place, "%s:%d", who.file, who.line);
    }
    fprintf(stderr, "cudacpu: %s was still running%s%s\n", device ? name : "host code", at, place);
    end_process(1);
}

} // namespace

static const size_t SIGNAL_STACK = 128 * 1024;

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

namespace {
void set_handlers() {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    stack_t now; /* of the thread that calls CUDA first */
    if (sigaltstack(nullptr, &now) == 0 && now.ss_flags & SS_DISABLE)
        prepare_signal_stack();
    action.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
    sigaction(SIGFPE, &action, nullptr);
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    action.sa_sigaction = on_step;
    sigaction(SIGTRAP, &action, nullptr);
    action.sa_sigaction = on_quit;
    sigaction(SIGQUIT, &action, nullptr);
}

/* Not before main: a program that is linked statically has no unwinder yet. */
void load_unwinder() {
    void *frame;
    backtrace(&frame, 1); /* now, not in the handler */
}

/* Before main: host code may touch what is not its own before it calls anything. */
__attribute__((constructor)) void set_handlers_early() { set_handlers(); }
} // namespace

bool has_own_handler() {
    struct sigaction now;
    return sigaction(SIGSEGV, nullptr, &now) == 0 && now.sa_sigaction == on_fault;
}

/* Once more: the program may have set its own. */
void install_fault_handler() {
    static std::once_flag once;
    std::call_once(once, [] {
        load_unwinder();
        set_handlers();
    });
}

} // namespace cudacpu
