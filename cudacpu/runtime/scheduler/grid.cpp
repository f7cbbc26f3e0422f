/* grid.cpp - one OS thread per processor draws clusters (mostly of one block) from a counter; the
 * one that launches is the first. A launch that begins early has OS threads of its own. */
#include "grid.h"
#include "block.h"
#include "cluster.h"
#include "cudacpu/ptx.h"
#include "faults.h"
#include "runtime/host/errors.h"
#include "runtime/host/machine.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/streams/async_mode.h"
#include "runtime/streams/stream_queue.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace cudacpu {

/* A kernel that has begun before its primary has ended. */
struct early_launch {
    stream_operation operation;
    unsigned pool;
    std::mutex lock;
    std::condition_variable changed;
    unsigned busy = 0; /* OS threads that run blocks and do not wait for the primary */
    bool primary_ended = false, has_begun;

    launch_state *launch() const { return operation.launch.get(); }
    bool has_primary_ended() {
        std::lock_guard<std::mutex> guard(lock);
        return primary_ended;
    }
};

static void note_idle(early_launch *e) {
    std::lock_guard<std::mutex> guard(e->lock);
    e->busy--;
    e->changed.notify_all();
}

/* ---- OS threads draw clusters ---- */

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

/* False: there can be no more OS threads. */
template <class... What> bool start_thread(What... what) {
    try {
        std::thread(what...).detach();
        return true;
    } catch (...) {
        return false;
    }
}

/* The pool in this place, of so many OS threads or as many as there can be. */
pool *get_pool(pool **place, int size) {
    pool *&p = *place;
    if (p && p->process == getpid())
        return p;
    p = new pool(); /* after a fork the threads are gone */
    p->process = getpid();
    while (p->size < size && start_thread(run_helper, p, 0))
        p->size++;
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
    if (alone || l->clusters == 1) {
        run_clusters(l);
        return;
    }
    pool *p = get_pool(&helpers, processors() - 1);
    start(p, l);
    run_clusters(l);
    wait_until_idle(p);
}

bool add_helper(launch_state *l) {
    pool *p = helpers;
    if (!p)
        return false;
    std::lock_guard<std::mutex> guard(p->lock);
    if (p->job != l || p->process != getpid() || p->size >= MOST_HELPERS ||
        !start_thread(run_helper, p, p->generation - 1))
        return false;
    p->size++;
    p->busy++;
    return true;
}

/* ---- dependent launches (griddepcontrol): a kernel begins, and waits for its primary ---- */

/* So long the primary waits for the blocks that begin: they may wait for it in another way. */
const std::chrono::seconds IDLE_PATIENCE(2);

/* Nobody in the cluster can go on: a completion, on no fiber. */
static void await_primary(early_launch *e) {
    note_idle(e);
    std::unique_lock<std::mutex> guard(e->lock);
    e->changed.wait(guard, [=] { return e->primary_ended; });
    e->busy++;
}

static bool has_primary_ended(void *early) {
    return static_cast<early_launch *>(early)->has_primary_ended();
}
static std::string describe(void *) { return "the end of the launch before"; }

/* All blocks of this launch have triggered. */
static void start_dependent(launch_state *l) {
    if (l->early && !l->early->has_primary_ended())
        return; /* three do not overlap */
    early_launch *e = new early_launch();
    if (!take_dependent(l->operation, &e->operation)) {
        delete e;
        return;
    }
    launch_state *next = e->launch();
    next->operation = e->operation.number;
    next->early = e;
    next->first = std::min(self->together->number, next->clusters - 1);
    next->number = begin_launch_draws();
    next->may_overlap = has_dependent(next->operation);
    e->pool = l->early ? 1 - l->early->pool : 0;
    l->dependent = e;
    pool *p = get_pool(&early_pools[e->pool], processors());
    e->busy = (unsigned)p->size;
    e->has_begun = e->busy;
    if (e->has_begun)
        start(p, next);
    std::unique_lock<std::mutex> guard(e->lock);
    e->changed.wait_for(guard, IDLE_PATIENCE, [=] { return e->busy == 0; });
}

void finish_dependents(launch_state *primary) {
    std::string names = primary->what->name;
    bool failed = primary->failed;
    for (early_launch *e = primary->dependent; e;) {
        launch_state *l = e->launch();
        names += text(", ", l->what->name);
        {
            std::lock_guard<std::mutex> guard(e->lock);
            e->primary_ended = true;
            if (failed)
                l->failed = true;
        }
        e->changed.notify_all();
        if (e->has_begun)
            wait_until_idle(early_pools[e->pool]);
        else
            run_grid(l, true);
        failed = l->failed;
        if (l->error)
            make_sticky(l->error);
        const early_launch *done = e;
        e = l->dependent;
        delete done;
    }
    damage found;
    if (!find_damage(&found))
        return;
    end_with("one of the kernels that overlap (", names, ") ", describe_damage(found),
             "; CUDACPU_ASYNC=early tells which");
}

void ptx::wait_for_primary(const site *where) {
    find_fiber(where);
    tell(&observer::primary_waited);
    early_launch *e = self->launch->early;
    if (!e || e->has_primary_ended())
        return;
    if (!self->together->awaits_primary) {
        self->together->awaits_primary = true;
        add_completion([e] { await_primary(e); });
    }
    wait_until(has_primary_ended, e, where, describe);
}

void ptx::launch_dependents(const site *where) {
    find_fiber(where);
    tell(&observer::dependents_launched);
    launch_state *l = self->launch;
    if (!l->may_overlap || self->triggered)
        return;
    self->triggered = true;
    if (++l->triggered == (uint64_t)l->grid.x * l->grid.y * l->grid.z)
        start_dependent(l);
}

/* ---- how far a launch is that takes long ---- */

namespace {

typedef std::chrono::steady_clock watch_clock;
const std::chrono::seconds PATIENCE(5), INTERVAL(2);

struct watched_launch {
    std::mutex lock;
    std::condition_variable begins;
    const launch_state *now = nullptr; /* NULL: there is none, or it is another thread's */
    watch_clock::time_point next;      /* when a line is due */
    bool is_shown = false;
    pid_t process = 0; /* that the OS thread is in */
};
watched_launch &watched = *new watched_launch();

void show(const launch_state *l) {
    const unsigned long long size = (unsigned long long)l->cluster.x * l->cluster.y * l->cluster.z,
                             begun = std::min<unsigned long long>(l->next, l->clusters),
                             done = begun - std::min<unsigned long long>(begun, l->active);
    fprintf(stderr, "\rcudacpu: kernel %s: %llu of %llu blocks are done", l->what->name,
            done * size, (unsigned long long)l->clusters * size);
    fflush(stderr);
}

void watch_launches() {
    std::unique_lock<std::mutex> guard(watched.lock);
    for (;;) {
        if (!watched.now) {
            watched.begins.wait(guard);
        } else if (watched.begins.wait_until(guard, watched.next) == std::cv_status::timeout &&
                   watched.now && watch_clock::now() >= watched.next) {
            show(watched.now);
            watched.is_shown = true;
            watched.next = watch_clock::now() + INTERVAL;
        }
    }
}

bool begin(const launch_state *l) {
    static const bool is_terminal = isatty(2);
    if (!is_terminal)
        return false;
    std::lock_guard<std::mutex> guard(watched.lock);
    if (watched.now)
        return false;
    if (watched.process != getpid() && !start_thread(watch_launches))
        return false; /* after a fork the thread is gone */
    watched.process = getpid();
    watched.now = l;
    watched.next = watch_clock::now() + PATIENCE;
    watched.begins.notify_one();
    return true;
}

} // namespace

progress_line::progress_line(const launch_state *l) : is_watched(begin(l)) {}
progress_line::~progress_line() {
    if (!is_watched)
        return;
    std::lock_guard<std::mutex> guard(watched.lock);
    if (watched.is_shown)
        fprintf(stderr, "\r\033[K");
    watched.is_shown = false;
    watched.now = nullptr;
}

} // namespace cudacpu
