/* sleep.cpp - __nanosleep(). The duration, which CUDA does not promise, is that of a switch to the
 * others. */
#include "sleep.h"
#include "cudacpu/device_functions.h"
#include "grid.h"
#include "launch.h"
#include <thread>
#include <time.h>

namespace cudacpu {
namespace {

enum { TURNS = 1000, SECONDS = 10 }; /* between looks at the clock; in vain */

std::string describe(void *) { return "what ends its loop of __nanosleep()"; }

} // namespace

bool any_sleeps(const cluster *c) {
    for (unsigned i = 0; i < c->size; i++)
        if (c->blocks[i]->state == RUNNING && c->blocks[i]->sleeping)
            return true;
    return false;
}

bool let_blocks_run(cluster *c) {
    launch_state *l = c->launch;
    std::this_thread::yield();
    if (++c->vain_turns % TURNS)
        return true;
    const time_t now = time(nullptr);
    if (c->vain_turns == TURNS)
        c->vain_since = now;
    const bool others = l->active > 1 || l->early || l->dependent;
    if (l->next < l->clusters && add_helper(l))
        return true;
    return others || now - c->vain_since <= SECONDS;
}

void sleep_thread(const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    worker *w = self;
    w->sleeping++;
    let_others_run(nullptr, where, describe);
    w->sleeping--;
}

} // namespace cudacpu
