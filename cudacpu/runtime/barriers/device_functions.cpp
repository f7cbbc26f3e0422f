/* device_functions.cpp - what else a kernel calls: __trap(), assert(), clocks; fences, which an
 * observer is told of, since every write is seen at once here, in order; elect.sync, setmaxnreg. */
#include "cudacpu/device_functions.h"
#include "cudacpu/ptx.h"
#include "cudacpu/ptx_scalar.h"
#include "runtime/host/machine.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/faults.h"
#include <cstdio>
#include <cstdlib>
#include <time.h>

void cudacpu::trap(const char *file, int line) {
    fail_launch(cudaErrorLaunchFailure,
                text("thread ", self->here->thread, " called __trap() at ", file, ":", line),
                "trap", file, line);
    abort_block();
    __builtin_unreachable();
}

long long clock64() { return (long long)cudacpu::nanoseconds_now(); }
/* In a kernel it counts what clock64() counts; elsewhere it is the C library's, whose place it
 * takes: the processor time of the program. A program may have one of its own. */
extern "C" __attribute__((weak)) clock_t clock() noexcept {
    if (cudacpu_current)
        return (clock_t)clock64();
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

/* assert() in a kernel ends the launch, as on a device; elsewhere the program. It takes the C
 * library's place. */
extern "C" void __assert_fail(const char *expression, const char *file, unsigned line,
                              const char *function) noexcept {
    cudacpu::running_thread who;
    fflush(stdout);
    if (!cudacpu::find_running_thread(&who)) {
        fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
        abort();
    }
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, function, who.block.x, who.block.y, who.block.z, who.thread.x, who.thread.y,
            who.thread.z, expression);
    cudacpu::tell(&cudacpu::observer::fault, "assert", file, (int)line, expression);
    cudacpu::self->launch->error = cudaErrorAssert;
    cudacpu::abort_block();
    __builtin_unreachable();
}

namespace cudacpu::ptx {

/* ---- fences ---- */

void fence_proxy_async(const site *) { tell(&observer::proxy_fence); }

void fence_mbarrier_init(const site *) { tell(&observer::mbarrier_init_fence); }

void fence(const site *) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/* ---- instructions about the threads themselves ---- */

static thread_local bool carry;
bool get_carry() { return carry; }
void set_carry(bool value) { carry = value; }

bool elect(uint32_t mask, uint32_t *lane, const site *where) {
    const uint32_t there =
        (uint32_t)warp(mask, WARP_BALLOT, 1, 0, where->file, where->line); /* not ended */
    const uint32_t leader = (uint32_t)__builtin_ctz(there);
    if (lane)
        *lane = leader;
    return leader == (uint32_t)cudacpu::lane();
}

/* Here a thread has all registers that it wants; but who calls it wrongly is told. */
void setmaxnreg(bool increase, uint32_t count, const site *where) {
    const char *name = increase ? "setmaxnreg.inc" : "setmaxnreg.dec";
    find_fiber(where);
    if (count < 24 || count > 256 || count % 8)
        fail_thread("wrong number of registers", where, name, " ", count,
                    ": multiples of 8 from 24 to 256 are possible");
    meet_warpgroup(where, name);
}

} // namespace cudacpu::ptx
