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
#include <cstring>
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
        fprintf(stderr, "cudacpu: kernel %s%s: block %s: %s\n", l->what->name,
                on_device(l->device).c_str(), format_triple(self->here->block).c_str(),
                message.c_str());
        if (kind)
            tell(&observer::fault, kind, file, line, message.c_str());
    }
}

bool find_running_thread(running_thread *who) {
    if (!self || !self->launch)
        return false;
    launch_state *l = self->launch;
    *who = {l->what->name, l->device, l->file, l->line, self->here->block, self->here->thread};
    return true;
}

namespace {

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
void meet_step(ucontext_t *u) {
    const char *from;
    void *pc = end_step(u, &from);
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
void meet_quit(ucontext_t *u) {
    char place[4200], name[256];
    running_thread who;
    end_if_stuck();
    const bool device = find_running_thread(&who);
    find_innermost_place(program_counter(u), place, sizeof place);
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

/* ---- who wrote beyond an allocation, once it is known that somebody did ---- */

static bool checking_first; /* no thread was found yet */

std::string describe_damage(const damage &d) {
    const ptrdiff_t past = d.first - (d.where->data + d.where->bytes);
    const size_t distance = (size_t)(past >= 0 ? past + 1 : d.where->data - d.first);
    return "wrote " + count_bytes(distance) + (past >= 0 ? " past" : " before") + " a " +
           std::to_string(d.where->bytes) + "-byte allocation";
}

void find_culprit(launch_state *l, const damage &found) {
    restore_pattern(found);
    fflush(stdout);
    if (freopen("/dev/null", "w", stdout) == nullptr) /* what the kernel prints, it has printed */
        close(1);
    l->next = 0;
    l->failed = l->may_overlap = false;
    l->checking = checking_first = true;
    run_grid(l, true);
    fprintf(stderr, "cudacpu: kernel %s, launched at %s:%d, %s\n", l->what->name, l->file, l->line,
            describe_damage(found).c_str());
    end_process(1);
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
    fprintf(stderr, "cudacpu: kernel %s: block %s thread %s %s, launched at %s:%d\n", l->what->name,
            format_triple(w->here->block).c_str(), format_triple(f->index).c_str(),
            describe_damage(now).c_str(), l->file, l->line);
    end_process(1);
}

} // namespace cudacpu
