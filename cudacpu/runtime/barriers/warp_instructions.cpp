/* warp_instructions.cpp - instructions of a warp or a warpgroup that are about the threads
 * themselves. */
#include "cudacpu/ptx_scalar.h"
#include "runtime/scheduler/block.h"

namespace cudacpu::ptx {

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
    if (!cudacpu_current)
        wait_outside_kernel(where);
    if (count < 24 || count > 256 || count % 8)
        fail_thread("wrong number of registers", where,
                    std::string(name) + " " + std::to_string(count) +
                        ": multiples of 8 from 24 to 256 are possible");
    meet_warpgroup(where, name);
}

} // namespace cudacpu::ptx
