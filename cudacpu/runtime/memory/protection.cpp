/* protection.cpp - opens and closes device memory, looks for damage in what was open, and watches
 * the pages around it. */
#include "protection.h"
#include "runtime/host/devices.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/host/signals.h"
#include <atomic>
#include <cstring>
#include <set>
#include <sys/mman.h>
#include <utility>

namespace cudacpu {
namespace {

int open_depth;          /* of launches, of which one may begin within another */
allocation *first_open;  /* what they have opened; a handler must not allocate a list */
std::atomic_flag locked; /* for it: any OS thread of a launch may open more */
std::set<const allocation *> &never_closed = *new std::set<const allocation *>();

bool protect(const allocation *a, bool accessible) {
    return a->kind != DEVICE_MEMORY ||
           mprotect(a->pages, a->page_bytes, accessible ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

bool open(allocation *a) {
    spin_guard guard(locked);
    if (a->is_open)
        return true;
    if (!protect(a, true))
        return false;
    a->is_open = true;
    a->next_open = first_open;
    first_open = a;
    return true;
}

/* Is it open while that device runs a kernel? An observer sees who touches the rest. */
bool is_within_reach(const allocation *a, int device) {
    return a->kind == DEVICE_MEMORY && (follows_accesses || may_touch(device, *a));
}

void open_arguments(const void *arguments, size_t bytes) {
    const size_t MOST = 1024; /* bytes; what lies behind them is opened when it is touched */
    const char *p = (const char *)arguments;
    for (size_t at = 0; at + sizeof(void *) <= (bytes < MOST ? bytes : MOST);
         at += sizeof(void *)) {
        void *pointer;
        memcpy(&pointer, p + at, sizeof pointer);
        allocation *a = find_live_allocation(pointer);
        if (a && is_within_reach(a, current_device()))
            open(a);
    }
}

} // namespace

void begin_protection(allocation *a) {
    if (a->kind != DEVICE_MEMORY)
        never_closed.insert(a);
    else if (open_depth)
        open(a);
    else
        protect(a, false);
}
void end_protection(allocation *a) {
    never_closed.erase(a);
    spin_guard guard(locked);
    for (allocation **at = &first_open; a->is_open && *at; at = &(*at)->next_open)
        if (*at == a) {
            *at = a->next_open;
            a->is_open = false;
            break;
        }
}

void set_host_access(const void *pointer, bool accessible) {
    allocation *a = find_live_allocation(pointer);
    if (!a || a->kind != DEVICE_MEMORY)
        return;
    if (!open_depth)
        protect(a, accessible);
    else if (accessible)
        open(a);
}

void open_memory(const void *arguments, size_t bytes) {
    lock_runtime();
    open_depth++;
    if (has_own_handler())
        open_arguments(arguments, bytes);
    else
        each_allocation([](allocation *a) {
            if (is_within_reach(a, current_device()))
                open(a);
        });
}
void close_memory() {
    if (--open_depth == 0) {
        for (allocation *a = first_open; a; a = a->next_open) {
            a->is_open = false;
            protect(a, false);
        }
        first_open = nullptr;
    }
    unlock_runtime();
}
void keep_memory_open() { open_depth++; }

bool open_touched(allocation *a, const void *address, int device) {
    const char *p = (const char *)address;
    return open_depth && p >= a->pages && p < a->pages + a->page_bytes &&
           is_within_reach(a, device) && open(a);
}

/* Asked once a thread while a culprit is sought. Each byte is as the one before it. */
static bool is_pattern(const char *p, size_t bytes) {
    return !bytes || ((unsigned char)*p == PATTERN && memcmp(p, p + 1, bytes - 1) == 0);
}

static bool is_damaged(const allocation *a) {
    const char *end = a->data + a->bytes, *last = a->pages + a->page_bytes;
    return !is_pattern(end, (size_t)(last - end)) ||
           !is_pattern(a->pages, (size_t)(a->data - a->pages));
}

/* Behind its data, or else before. */
static char *first_damaged(const allocation *a) {
    for (char *p = a->data + a->bytes; p < a->pages + a->page_bytes; p++)
        if ((unsigned char)*p != PATTERN)
            return p;
    char *p = a->data - 1;
    while ((unsigned char)*p == PATTERN)
        p--;
    return p;
}

bool find_damage(damage *found) {
    const allocation *first = nullptr; /* by address */
    auto look_at = [&](const allocation *a) {
        if (is_damaged(a) && (!first || a->data < first->data))
            first = a;
    };
    for (const allocation *a = first_open; a; a = a->next_open)
        look_at(a);
    for (const allocation *a : never_closed)
        look_at(a);
    if (first)
        *found = {first, first_damaged(first)};
    return first;
}
void restore_pattern(const damage &found) {
    const allocation &a = *found.where;
    memset(a.pages, PATTERN, (size_t)(a.data - a.pages));
    memset(a.data + a.bytes, PATTERN, (size_t)(a.pages + a.page_bytes - a.data) - a.bytes);
}

/* ---- watchpoints ---- */

static struct watched {
    damage what; /* where is NULL: nothing is */
    void *pc;    /* of the access that is let now, or NULL */
    const char *address;
} watching;

static void protect_pages(int access) {
    mprotect(watching.what.where->pages, watching.what.where->page_bytes, access);
}

/* The next instruction is followed by a SIGTRAP. */
#ifdef __x86_64__
static void set_trap(ucontext_t *u, bool on) {
    const long long TRAP_FLAG = 0x100;
    auto &flags = u->uc_mcontext.gregs[REG_EFL];
    flags = on ? flags | TRAP_FLAG : flags & ~TRAP_FLAG;
}
const bool has_trap = true;
#else
static void set_trap(ucontext_t *, bool) {}
const bool has_trap = false;
#endif

bool can_watch() { return has_trap; }

void watch(const damage &found) {
    watching.what = found;
    watch_again();
}

void watch_again() { protect_pages(PROT_NONE); }

bool step_over_access(const allocation *where, const char *address, void *pc, ucontext_t *u) {
    if (!where || where != watching.what.where || address < where->pages ||
        address >= where->pages + where->page_bytes)
        return false;
    watching.pc = pc;
    watching.address = address;
    protect_pages(PROT_READ | PROT_WRITE);
    set_trap(u, true);
    return true;
}

void *end_step(ucontext_t *u, const char **address) {
    *address = watching.address;
    set_trap(u, false);
    return std::exchange(watching.pc, nullptr);
}

} // namespace cudacpu
