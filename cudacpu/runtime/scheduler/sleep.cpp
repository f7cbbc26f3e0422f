/* sleep.cpp - __nanosleep(), and loops that poll memory. The duration, which CUDA does not promise,
 * is that of a switch to the others. */
#include "sleep.h"
#include "cudacpu/device_functions.h"
#include "cudacpu/polling.h"
#include "faults.h"
#include "grid.h"
#include <mutex>
#include <thread>
#include <time.h>
#include <vector>

namespace cudacpu {
namespace {

enum { TURNS = 16 };                    /* between looks at the clock, in nanoseconds */
const uint64_t SECONDS = 10000000000;   /* in vain */
const uint64_t RECENT = 5000000000;     /* a cluster that looked in vain since still does */
const uint64_t HELP_PATIENCE = 3000000; /* before a block that has not begun gets an OS thread */
const uint64_t MOMENT = 500000;         /* that a thread polls before the others run */

uint64_t read_clock() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1000000000 * (uint64_t)t.tv_sec + (uint64_t)t.tv_nsec;
}

std::string describe_sleep(void *) { return "what ends its loop of __nanosleep()"; }
std::string describe_poll(void *) { return "another value in the memory that its loop polls"; }

/* Clusters of a launch that looked in vain, since when, and when they last did. */
struct vain_cluster {
    const cluster *who;
    uint64_t since, last;
};
std::mutex vain_lock;
std::vector<vain_cluster> vain;
uint64_t vain_launch;

/* Have all clusters that run looked in vain for SECONDS? */
bool are_all_in_vain(const cluster *c, uint64_t now) {
    std::lock_guard<std::mutex> guard(vain_lock);
    if (vain_launch != c->launch->number)
        vain.clear();
    vain_launch = c->launch->number;
    unsigned count = 0;
    bool found = false;
    for (vain_cluster &v : vain) {
        if (v.who == c) {
            v = {c, c->vain_since, now};
            found = true;
        }
        count += now - v.since > SECONDS && now - v.last <= RECENT;
    }
    if (!found)
        vain.push_back({c, c->vain_since, now});
    return count >= c->launch->active;
}

void let_run(const site *where, std::string (*describe)(void *)) {
    worker *w = self;
    w->sleeping++;
    let_others_run(nullptr, where, describe);
    w->sleeping--;
}

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
    const uint64_t now = read_clock();
    if (c->vain_turns == TURNS)
        c->vain_since = c->helped = now;
    if (l->next < l->clusters && now - c->helped > HELP_PATIENCE) {
        c->helped = now;
        if (add_helper(l))
            return true;
    }
    return l->early || l->dependent || now - c->vain_since < SECONDS || !are_all_in_vain(c, now);
}

void sleep_thread(const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    let_run(where, describe_sleep);
}

/* Once a thread of a block has polled for long, its others let each other run sooner. */
void poll_memory(polling *p, const site *where) {
    if (!cudacpu_current)
        return;
    worker *w = self;
    if (w->polled_block != w->blocks_begun) {
        const uint64_t now = read_clock();
        if (!p->since)
            p->since = now;
        if (now - p->since < MOMENT) {
            std::this_thread::yield();
            return;
        }
        w->polled_block = w->blocks_begun;
    }
    let_run(where, describe_poll);
    p->rounds = polling::ROUNDS - polling::FEW;
}

} // namespace cudacpu
