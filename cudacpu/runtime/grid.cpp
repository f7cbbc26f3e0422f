/* grid.cpp - one OS thread per processor draws clusters (mostly of one block) from a counter; the
 * one that launches is the first. */
#include "grid.h"
#include "cluster.h"
#include "machine.h"
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace cudacpu {
namespace {

void run_clusters(launch_state *l) {
    if (!self)
        make_worker();
    worker *w = self;
    while (!l->failed) {
        uint64_t number = l->next.fetch_add(1);
        if (number >= l->clusters)
            break;
        run_cluster(w, l, number);
    }
    w->launch = nullptr;
}

struct pool {
    pid_t process;
    std::mutex lock;
    std::condition_variable wake, done;
    launch_state *job;
    uint64_t generation;
    int size, busy;
};
pool *helpers;

void run_helper(pool *p) {
    uint64_t seen = 0;
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

} // namespace

void run_grid(launch_state *l, bool alone) {
    int others = processors() - 1;
    if (alone || l->clusters == 1 || others == 0) {
        run_clusters(l);
        return;
    }
    if (!helpers || helpers->process != getpid()) { /* after a fork the threads are gone */
        helpers = new pool();
        helpers->process = getpid();
        for (int i = 0; i < others; i++) {
            try {
                std::thread(run_helper, helpers).detach();
                helpers->size++;
            } catch (...) {
                break;
            }
        }
    }
    {
        std::lock_guard<std::mutex> guard(helpers->lock);
        helpers->job = l;
        helpers->busy = helpers->size;
        helpers->generation++;
    }
    helpers->wake.notify_all();
    run_clusters(l);
    std::unique_lock<std::mutex> guard(helpers->lock);
    helpers->done.wait(guard, [] { return helpers->busy == 0; });
}

} // namespace cudacpu
