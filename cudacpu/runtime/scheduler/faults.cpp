/* faults.cpp - what a handler of a signal says: what was touched, by whom, where. */
#include "faults.h"
#include "cluster.h"
#include "grid.h"
#include "runtime/host/devices.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/host/signals.h"
#include "runtime/host/symbolizer.h"
#include "runtime/host/text.h"
#include "runtime/memory/allocation.h"
#include "runtime/memory/protection.h"
#include "runtime/streams/host_pages.h"
#include "worker.h"
#include <cstdio>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace cudacpu {

void fail_launch(cudaError_t error, const std::string &message, const char *kind, const char *file,
                 int line) {
    launch_state *l = self->launch;
    static std::mutex one;
    std::lock_guard<std::mutex> guard(one);
    if (!l->failed.exchange(true)) {
        l->error = error;
        fflush(stdout);
        say("kernel ", l->what->name, on_device(l->device), ": block ", self->here->block, ": ",
            message);
        if (kind)
            tell(&observer::fault, kind, file, line, message.c_str());
    }
}

void warn_of_fault(const worker *w, const char *kind, const site &where, const std::string &told,
                   const std::string &said) {
    if (w->launch->warned.exchange(true))
        return;
    tell(&observer::fault, kind, where.file, where.line, told.c_str());
    say("warning: kernel ", w->launch->what->name, ": block ", w->here->block, ": ", said);
}

bool find_running_thread(running_thread *who) {
    if (!self || !self->launch)
        return false;
    *who = {self->launch, self->here->block, self->here->thread};
    return true;
}

namespace {

/* Of memory of another device, which it has no access to. */
bool is_anothers(const allocation *a, const char *address, const running_thread &who) {
    return a->kind == DEVICE_MEMORY && !a->freed && !may_touch(who.launch->device, *a) &&
           address >= a->data && address < a->data + a->bytes;
}

std::string describe_range(const allocation *a, const char *address) {
    const char *const end = a->data + a->bytes;
    return text(address >= end      ? count_bytes((size_t)(address - end) + 1) + " past"
                : address < a->data ? count_bytes((size_t)(a->data - address)) + " before"
                                    : "in",
                " a ", a->bytes, "-byte allocation",
                a->kind == DEVICE_MEMORY ? of_device(a->device) : "",
                a->freed ? " that was freed" + after(" at ", place_of(a->freed_by)) : "");
}

std::string describe_thread(const running_thread &who) {
    return text("kernel ", who.launch->what->name, on_device(who.launch->device), ": block ",
                who.block, " thread ", who.thread);
}

struct memory_fault {
    int signal;
    const siginfo_t *info;
    char *address, *stack;     /* stack: its pointer */
    const allocation *touched; /* or NULL */
    const char *verb;          /* "wrote" */
    std::string at;            /* ", at file:line" */
};

void say_kernel_fault(const memory_fault &f, const running_thread &who) {
    const std::string name = describe_thread(who);
    const ptrdiff_t in_shared = f.address - cudacpu_dynamic_shared;
    if (f.signal == SIGFPE)
        say(name, " divided an integer by zero", f.at, "; a GPU goes on with any value");
    else if (f.info->si_code == SI_KERNEL) /* the address is not told */
        say(name, " used an address that is not a multiple of the size of what is there", f.at);
    else if (in_stack_guard(f.address))
        say(name, " used more than its 256 KB of stack", f.at);
    else if (f.touched && is_anothers(f.touched, f.address, who))
        say(name, " ", f.verb, " byte ", f.address - f.touched->data, " of a ", f.touched->bytes,
            "-byte allocation of device ", f.touched->device, ", to which it has no access", f.at,
            "; ", f.touched->access ? "cudaMemPoolSetAccess" : "cudaDeviceEnablePeerAccess",
            " gives it");
    else if (f.touched)
        say(name, " ", f.verb, " ", describe_range(f.touched, f.address), f.at);
    else if (in_shared >= 0 && in_shared < (ptrdiff_t)(SHARED + SHARED_GUARD))
        say(name, " ", f.verb, " byte ", in_shared, " of dynamic shared memory, past its end",
            f.at);
    else if ((size_t)f.address < 65536)
        say(name, " ", f.verb, " through a null pointer (address ", (size_t)f.address, ")", f.at);
    else
        say(name, " ", f.verb, " address ", format_pointer(f.address),
            ", which is in no allocation", f.at);
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
    const std::string range = f.touched ? describe_range(f.touched, f.address) : "";
    if (f.touched && f.touched->kind == DEVICE_MEMORY)
        say("host code used a device pointer (it ", f.verb, " ", range, ")", f.at,
            "; cudaMemcpy copies between host and device");
    else if (f.touched)
        say("host code ", f.verb, " ", range, f.at);
    else if (f.signal == SIGSEGV && is_stack_used_up(f))
        say("host code used more stack than it has", f.at,
            ": a recursion without an end, or large arrays in functions");
    else if (f.info->si_code == SI_KERNEL) /* the address is not told */
        say("host code used an address that no program has", f.at,
            ": a pointer that something was written over, or that was never set");
    else
        fprintf(stderr, "host code %s address %p, which is not its own%s (%s)\n", f.verb,
                (void *)f.address, f.at.c_str(),
                f.signal == SIGBUS ? "bus error" : "segmentation fault");
}

} // namespace

void meet_fault(int number, siginfo_t *info, ucontext_t *u) {
    static std::mutex first;
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
        open_touched(touched, address, device ? who.launch->device : current_device()))
        return;
    if (number == SIGSEGV && touched && !device &&
        host_met_closed_page(address, was_write(u) != 0, program_counter(u)))
        return;
    first.lock(); /* the first fault speaks and ends the process */
    end_if_stuck();
    fflush(stdout);
    const int write = was_write(u);
    const memory_fault fault = {number,
                                info,
                                address,
                                stack_pointer(u),
                                touched,
                                write == 1   ? "wrote"
                                : write == 0 ? "read"
                                             : "used",
                                after(", at ", find_innermost_place(program_counter(u)))};
    if (device)
        say_kernel_fault(fault, who);
    else
        say_host_fault(fault);
    end_process(1);
}

/* After an access to watched pages. */
void meet_step(ucontext_t *u) {
    const char *from;
    void *pc = end_step(u, &from);
    if (!pc)
        return;
    damage now;
    running_thread who;
    if (find_damage(&now) && find_running_thread(&who)) {
        /* what it wrote may begin with bytes of the pattern; an access may begin before the end */
        const char *const end = now.where->data + now.where->bytes;
        if (from > now.first)
            from = now.first;
        const char *const begin = now.first >= end && from < end ? end : from;
        end_with(describe_thread(who), " wrote ", describe_range(now.where, begin),
                 after(", at ", find_place(pc)));
    }
    watch_again();
}

/* Asked to quit: it says where it is, which is a loop without an end most of the time. */
void meet_quit(ucontext_t *u) {
    running_thread who;
    end_if_stuck();
    const bool device = find_running_thread(&who);
    const std::string place = find_innermost_place(program_counter(u));
    say(device ? describe_thread(who) : "host code", " was still running",
        place.empty() && device /* a loop of which no line is left */
            ? text(", launched at ", *who.launch)
            : after(", at ", place));
    end_process(1);
}

/* ---- who wrote beyond an allocation, once it is known that somebody did ---- */

static bool checking_first; /* no thread was found yet */

std::string describe_damage(const damage &d) { return "wrote " + describe_range(d.where, d.first); }

void find_culprit(launch_state *l, const damage &found) {
    restore_pattern(found);
    fflush(stdout);
    if (freopen("/dev/null", "w", stdout) == nullptr) /* what the kernel prints, it has printed */
        close(1);
    l->next = 0;
    l->failed = l->may_overlap = false;
    l->checking = checking_first = true;
    run_grid(l, true);
    end_with("kernel ", l->what->name, ", launched at ", *l, ", ", describe_damage(found));
}

bool did_damage(const fiber *f) {
    damage now;
    if (!find_damage(&now))
        return false;
    worker *w = self;
    launch_state *l = w->launch;
    restore_pattern(now);
    if (checking_first && can_watch()) { /* this block again, watched; then on_step reports */
        checking_first = false;
        l->next = w->together->number;
        l->clusters = l->next + 1;
        l->checking = false;
        watch(now);
        return true;
    }
    end_with("kernel ", l->what->name, ": block ", w->here->block, " thread ", f->index, " ",
             describe_damage(now), ", launched at ", *l);
}

} // namespace cudacpu
