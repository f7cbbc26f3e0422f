/* fault.cpp - turns a memory fault into a sentence with block, thread, file and line. */
#include "internal.h"
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <mutex>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

extern "C" char __executable_start, _end; /* by the linker: the program's own image */

namespace cudacpu {
namespace {

const ptrdiff_t SHARED_AND_GUARD =
    320 * 1024; /* the most that a block's dynamic array and its guard take */

struct watched {
    bool on;
    damage what;
    void *pc;
    bool stepping;
} watching;

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

/* 1: it wrote, 0: it read, -1: cannot tell */
int wrote(ucontext_t *u) {
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

int first_object(struct dl_phdr_info *info, size_t, void *base) {
    *(uintptr_t *)base = info->dlpi_addr;
    return 1; /* the program itself comes first */
}

} // namespace

uintptr_t program_base() {
    uintptr_t base = 0;
    dl_iterate_phdr(first_object, &base);
    return base;
}

/* A pipe of both directions to an addr2line that answers until it is closed. No fork: that would
 * copy the mappings of all CUDA threads' stacks. */
int start_addr2line(pid_t *child) {
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    const char *words[] = {"addr2line", "-a", "-i", "-e", program, nullptr};
    if (posix_spawnp(child, words[0], &actions, nullptr, const_cast<char **>(words), environ) != 0)
        *child = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    return ends[0];
}

void ask_addr2line(int connection, void *pc, bool is_return_address, char *out, size_t size) {
    out[0] = 0;
    if ((char *)pc < &__executable_start || (char *)pc >= &_end)
        return;
    char text[4096];
    /* Each answer begins with its address; the line after the second, of address 0, is the last. */
    int asked = snprintf(text, sizeof text, "0x%zx\n0\n",
                         (size_t)((uintptr_t)pc - program_base() - (is_return_address ? 1 : 0)));
    send(connection, text, (size_t)asked, MSG_NOSIGNAL);
    size_t have = 0;
    const char *last = nullptr;
    for (ssize_t n; have < sizeof text - 1 &&
                    (n = read(connection, text + have, sizeof text - 1 - have)) > 0;) {
        text[have += (size_t)n] = 0;
        last = strstr(text, "\n0x");
        if (last && (last = strchr(last + 1, '\n')) && strchr(last + 1, '\n'))
            break;
    }
    text[have] = 0;
    char here[4096];
    size_t prefix = getcwd(here, sizeof here) ? strlen(here) : 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(nullptr, "\n")) {
        if (!strchr(line, ':') || line[0] == '?' || strstr(line, "/cudacpu/") ||
            strstr(line, "/include/c++/") || strstr(line, ":?"))
            continue;
        if (char *more = strstr(line, " (discriminator"))
            *more = 0;
        if (prefix && strncmp(line, here, prefix) == 0 && line[prefix] == '/')
            line += prefix + 1;
        snprintf(out, size, "%s", line);
        return;
    }
}

namespace {

void describe_place(void *pc, bool is_return_address, char *out, size_t size) {
    pid_t child = -1;
    int addr2line = start_addr2line(&child);
    ask_addr2line(addr2line, pc, is_return_address, out, size);
    close(addr2line);
    if (child > 0)
        waitpid(child, nullptr, 0);
}

/* The innermost place in the program's own code. */
void find_place(void *pc, char *out, size_t size) {
    describe_place(pc, false, out, size);
    if (out[0])
        return;
    void *frames[64];
    int count = backtrace(frames, 64), i = 0;
    while (i < count && frames[i] != pc)
        i++;
    for (i = i < count ? i + 1 : 0; i < count && !out[0]; i++)
        describe_place(frames[i], true, out, size);
}

void say_range(char *out, size_t size, const allocation *a, const char *address) {
    const char *state = a->freed ? " that was freed" : "";
    if (address >= a->data + a->bytes)
        snprintf(out, size, "%zu bytes past a %zu-byte allocation%s",
                 (size_t)(address - (a->data + a->bytes)) + 1, a->bytes, state);
    else if (address < a->data)
        snprintf(out, size, "%zu bytes before a %zu-byte allocation%s", (size_t)(a->data - address),
                 a->bytes, state);
    else
        snprintf(out, size, "in a %zu-byte allocation%s", a->bytes, state);
}

void say_thread(char *out, size_t size, const running_thread &who) {
    char block[64], thread[64];
    snprintf(block, sizeof block, who.block.z ? "(%u,%u,%u)" : "(%u,%u)", who.block.x, who.block.y,
             who.block.z);
    snprintf(thread, sizeof thread, who.thread.z ? "(%u,%u,%u)" : "(%u,%u)", who.thread.x,
             who.thread.y, who.thread.z);
    snprintf(out, size, "kernel %s: block %s thread %s", who.kernel, block, thread);
}

void watch_pages(bool accessible) {
    mprotect(watching.what.where->pages, watching.what.where->page_bytes,
             accessible ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void on_fault(int signal, siginfo_t *info, void *context) {
    static std::mutex one;
    ucontext_t *u = (ucontext_t *)context;
    char *address = (char *)info->si_addr;
    const allocation *a = info->si_code > 0 ? find_allocation(address) : nullptr;
    running_thread who;
    bool device = running(&who);
    if (signal == SIGFPE && !device) { /* host code divides as it does anywhere */
        ::signal(SIGFPE, SIG_DFL);
        return;
    }
#if defined(__x86_64__)
    if (watching.on && device && a == watching.what.where && address >= a->pages &&
        address < a->pages + a->page_bytes) {
        watching.pc = program_counter(u);
        watching.stepping = true;
        watch_pages(true);
        u->uc_mcontext.gregs[REG_EFL] |= 0x100; /* one instruction, then SIGTRAP */
        return;
    }
#endif
    one.lock(); /* the first fault speaks and ends the process */
    char place[4200], range[128], name[256];
    fflush(stdout);
    find_place(program_counter(u), place, sizeof place);
    const char *at = place[0] ? ", at " : "", *verb = wrote(u) == 1   ? "wrote"
                                                      : wrote(u) == 0 ? "read"
                                                                      : "used";
    if (device) {
        say_thread(name, sizeof name, who);
        const ptrdiff_t in_shared = address - cudacpu_dynamic_shared;
        if (signal == SIGFPE)
            fprintf(stderr,
                    "cudacpu: %s divided an integer by zero%s%s; a GPU goes on with any value\n",
                    name, at, place);
        else if (info->si_code == SI_KERNEL) /* the address is not told */
            fprintf(stderr,
                    "cudacpu: %s used an address that is not a multiple of the size of what is "
                    "there%s%s\n",
                    name, at, place);
        else if (in_stack_guard(address))
            fprintf(stderr, "cudacpu: %s used more than its 64 KB of stack%s%s\n", name, at, place);
        else if (a) {
            say_range(range, sizeof range, a, address);
            fprintf(stderr, "cudacpu: %s %s %s%s%s\n", name, verb, range, at, place);
        } else if (in_shared >= 0 && in_shared < SHARED_AND_GUARD)
            fprintf(stderr, "cudacpu: %s %s byte %td of dynamic shared memory, past its end%s%s\n",
                    name, verb, in_shared, at, place);
        else if ((size_t)address < 65536)
            fprintf(stderr, "cudacpu: %s %s through a null pointer (address %zu)%s%s\n", name, verb,
                    (size_t)address, at, place);
        else
            fprintf(stderr, "cudacpu: %s %s address %p, which is in no allocation%s%s\n", name,
                    verb, (void *)address, at, place);
    } else if (a && a->kind == DEVICE_MEMORY) {
        say_range(range, sizeof range, a, address);
        fprintf(stderr,
                "cudacpu: host code used a device pointer (it %s %s)%s%s; cudaMemcpy copies "
                "between host and device\n",
                verb, range, at, place);
    } else if (a) {
        say_range(range, sizeof range, a, address);
        fprintf(stderr, "cudacpu: host code %s %s%s%s\n", verb, range, at, place);
    } else {
        fprintf(stderr, "host code %s address %p, which is not its own%s%s (%s)\n", verb,
                (void *)address, at, place, signal == SIGBUS ? "bus error" : "segmentation fault");
    }
    end_process(1);
}

void on_step(int, siginfo_t *, void *context) {
    ucontext_t *u = (ucontext_t *)context;
#if defined(__x86_64__)
    u->uc_mcontext.gregs[REG_EFL] &= ~0x100LL;
#else
    (void)u;
#endif
    if (!watching.stepping)
        return;
    watching.stepping = false;
    damage now;
    running_thread who;
    if (find_damage(&now) && running(&who)) {
        char place[4200], range[128], name[256];
        describe_place(watching.pc, false, place, sizeof place);
        say_thread(name, sizeof name, who);
        say_range(range, sizeof range, now.where, now.first);
        fprintf(stderr, "cudacpu: %s wrote %s%s%s\n", name, range, place[0] ? ", at " : "", place);
        end_process(1);
    }
    if (watching.on)
        watch_pages(false);
}

} // namespace

bool can_watch() {
#if defined(__x86_64__)
    return true;
#else
    return false;
#endif
}
void watch(const damage &found) {
    watching.what = found;
    watching.on = true;
    watch_pages(false);
}
void unwatch() {
    watching.on = false;
    watch_pages(true);
}

void prepare_signal_stack() {
    size_t bytes = 128 * 1024;
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    stack_t stack;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = memory;
    stack.ss_size = bytes;
    sigaltstack(&stack, nullptr);
}

void install_fault_handler() {
    static std::once_flag once;
    std::call_once(once, [] {
        void *frame;
        backtrace(&frame, 1); /* loads the unwinder now, not in the handler */
        struct sigaction action;
        memset(&action, 0, sizeof action);
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        action.sa_sigaction = on_fault;
        sigaction(SIGSEGV, &action, nullptr);
        sigaction(SIGBUS, &action, nullptr);
        sigaction(SIGFPE, &action, nullptr);
        action.sa_sigaction = on_step;
        sigaction(SIGTRAP, &action, nullptr);
    });
}

} // namespace cudacpu
