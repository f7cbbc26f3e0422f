/* async_mode.cpp - reads CUDACPU_ASYNC and CUDACPU_SEED, and draws. */
#include "async_mode.h"
#include "runtime/host/machine.h"

namespace cudacpu {
namespace {

/* splitmix64 */
uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}
const uint64_t STEP = 0x9e3779b97f4a7c15u;

uint64_t seed() {
    static const uint64_t value = mix(read_setting("CUDACPU_SEED", 1, 0, UINT64_MAX) + STEP);
    return value;
}

uint64_t launches; /* how many there were */

/* A block's draws, in the OS thread that runs it. */
struct block_draws {
    uint64_t launch, block, state;
};
thread_local block_draws drawn;

uint64_t next_number() {
    static thread_local uint64_t state = seed();
    return mix(state += STEP);
}
uint64_t next_number_of(uint64_t launch, uint64_t block) {
    if (drawn.launch != launch || drawn.block != block)
        drawn = {launch, block, mix(seed() ^ mix(launch * STEP + block))};
    return mix(drawn.state += STEP);
}

} // namespace

static bool early_alone;
void insist_on_early() { early_alone = true; }

async_mode read_async_mode() {
    if (early_alone)
        return EARLY;
    static const async_mode mode = (async_mode)read_word_setting(
        "CUDACPU_ASYNC", {"early", "late", "random"}, default_async_mode);
    return mode;
}
bool happens_late() {
    const async_mode mode = read_async_mode();
    return mode == LATE || (mode == RANDOM && next_number() >> 63);
}
bool happens_late(uint64_t launch, uint64_t block) {
    const async_mode mode = read_async_mode();
    return mode == LATE || (mode == RANDOM && next_number_of(launch, block) >> 63);
}
unsigned draw(unsigned count) { return (unsigned)(next_number() % count); }
uint64_t begin_launch_draws() {
    if (read_async_mode() == RANDOM)
        seed(); /* a wrong one is refused here, and not in the midst of a kernel */
    return ++launches;
}

} // namespace cudacpu
