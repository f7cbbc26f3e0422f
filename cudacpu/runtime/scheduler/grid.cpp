/* grid.cpp - one OS thread per processor draws clusters (mostly of one block) from a counter; the
 * one that launches is the first. A launch that begins early has OS threads of its own. */
#include "grid.h"
#include "cluster.h"
#include "dependent_launch.h"
#include "runtime/host/machine.h"
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace cudacpu {
namespace {

/* The how manyth cluster of a launch that begins early: first that of the block that lets it begin,
 * whose data the kernel before has still in use, then the last ones. */
uint64_t find_early(const launch_state *l, uint64_t number) {
    if (number == 0)
        return l->first;
    const uint64_t cluster = l->clusters - number;
    return cluster <= l->first ? cluster - 1 : cluster;
}

void run_clusters(launch_state *l) {
    if (!self)
        make_worker();
    worker *w = self;
    while (!l->failed) {
        l->active++;
        const uint64_t number = l->next.fetch_add(1);
        if (number < l->clusters)
            run_cluster(w, l, l->early ? find_early(l, number) : number);
        l->active--;
        if (number >= l->clusters)
            break;
    }
    w->launch = nullptr;
    if (l->early)
        note_idle(l->early);
}

const int MOST_HELPERS = 255; /* that there can be, where blocks wait for blocks */

struct pool {
    pid_t process;
    std::mutex lock;
    std::condition_variable wake, done;
    launch_state *job;
    uint64_t generation;
    int size, busy;
};

/* seen: the last generation that it has nothing to do with. */
void run_helper(pool *p, uint64_t seen) {
    std::unique_lock<std::mutex> guard(p->lock);
    for (;;) {
        p->wake.wait(guard, [&] { return p->generation != seen; });
        seen = p->generation;
        launch_state *job = p->job;
        guard.unlock();
        run_clusters(job);
        guard.lock();
        if (--p->busy == 0)
            p->done.notify_one();
    }
}

/* The pool in this place, of so many OS threads or as many as there can be. */
pool *get_pool(pool **place, int size) {
    pool *&p = *place;
    if (p && p->process == getpid())
        return p;
    p = new pool(); /* after a fork the threads are gone */
    p->process = getpid();
    for (int i = 0; i < size; i++) {
        try {
            std::thread(run_helper, p, 0).detach();
            p->size++;
        } catch (...) {
            break;
        }
    }
    return p;
}

void start(pool *p, launch_state *l) {
    {
        std::lock_guard<std::mutex> guard(p->lock);
        p->job = l;
        p->busy = p->size;
        p->generation++;
    }
    p->wake.notify_all();
}

void wait_until_idle(pool *p) {
    std::unique_lock<std::mutex> guard(p->lock);
    p->done.wait(guard, [&] { return p->busy == 0; });
    p->job = nullptr;
}

pool *helpers, *early_pools[2];

} // namespace

void run_grid(launch_state *l, bool alone) {
    const int others = processors() - 1;
    if (alone || l->clusters == 1) {
        run_clusters(l);
        return;
    }
    pool *p = get_pool(&helpers, others);
    start(p, l);
    run_clusters(l);
    wait_until_idle(p);
}

bool add_helper(launch_state *l) {
    pool *p = helpers;
    if (!p)
        return false;
    std::lock_guard<std::mutex> guard(p->lock);
    if (p->job != l || p->process != getpid() || p->size >= MOST_HELPERS)
        return false;
    try {
        std::thread(run_helper, p, p->generation - 1).detach();
    } catch (...) {
        return false;
    }
    p->size++;
    p->busy++;
    return true;
}

unsigned start_early(launch_state *l, unsigned pool_number) {
    pool *p = get_pool(&early_pools[pool_number], processors());
    expect_idle(l->early, (unsigned)p->size);
    if (p->size)
        start(p, l);
    return (unsigned)p->size;
}

void finish_early(unsigned pool_number) { wait_until_idle(early_pools[pool_number]); }

} // namespace cudacpu
