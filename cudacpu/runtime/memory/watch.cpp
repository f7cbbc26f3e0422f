/* watch.cpp - closes the pages around damage, and opens them for one instruction at a time. */
#include "watch.h"
#include <sys/mman.h>

namespace cudacpu {
namespace {

#ifdef __x86_64__
const long long TRAP_FLAG = 0x100; /* one instruction, then SIGTRAP */
#endif

struct watched {
    bool on;
    damage what;
    void *pc; /* of the access that is let now, or NULL */
    const char *address;
} watching;

void protect_pages(int access) {
    mprotect(watching.what.where->pages, watching.what.where->page_bytes, access);
}

} // namespace

bool can_watch() {
#ifdef __x86_64__
    return true;
#else
    return false;
#endif
}

void watch(const damage &found) {
    watching.what = found;
    watching.on = true;
    watch_again();
}

void watch_again() { protect_pages(PROT_NONE); }

bool step_over_access(const allocation *where, const char *address, void *pc, ucontext_t *u) {
#ifdef __x86_64__
    if (watching.on && where == watching.what.where && address >= where->pages &&
        address < where->pages + where->page_bytes) {
        watching.pc = pc;
        watching.address = address;
        protect_pages(PROT_READ | PROT_WRITE);
        u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
        return true;
    }
#else
    (void)where, (void)address, (void)pc, (void)u;
#endif
    return false;
}

void *end_step(ucontext_t *u, const char **address) {
    *address = watching.address;
#ifdef __x86_64__
    u->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
#else
    (void)u;
#endif
    void *pc = watching.pc;
    watching.pc = nullptr;
    return pc;
}

} // namespace cudacpu
