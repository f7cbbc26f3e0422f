/* dependent_launch.cpp - griddepcontrol: a kernel begins, and waits for its primary. */
#include "dependent_launch.h"
#include "barrier.h"
#include "block.h"
#include "cluster.h"
#include "cudacpu/ptx.h"
#include "faults.h"
#include "grid.h"
#include "runtime/host/errors.h"
#include "runtime/host/observer.h"
#include "runtime/host/program.h"
#include "runtime/streams/async_mode.h"
#include "runtime/streams/stream_queue.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>

namespace cudacpu {

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

void expect_idle(early_launch *e, unsigned threads) { e->busy = threads; }
void note_idle(early_launch *e) {
    std::lock_guard<std::mutex> guard(e->lock);
    e->busy--;
    e->changed.notify_all();
}

namespace {

/* So long the primary waits for the blocks that begin: they may wait for it in another way. */
const std::chrono::seconds IDLE_PATIENCE(2);

/* Nobody in the cluster can go on: an effect, on no fiber. */
void await_primary(void *early) {
    early_launch *e = static_cast<early_launch *>(early);
    note_idle(e);
    std::unique_lock<std::mutex> guard(e->lock);
    e->changed.wait(guard, [=] { return e->primary_ended; });
    e->busy++;
}

bool has_primary_ended(void *early) {
    return static_cast<early_launch *>(early)->has_primary_ended();
}
std::string describe(void *) { return "the end of the launch before"; }

/* All blocks of this launch have triggered. */
void start_dependent(launch_state *l) {
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
    e->has_begun = start_early(next, e->pool);
    std::unique_lock<std::mutex> guard(e->lock);
    e->changed.wait_for(guard, IDLE_PATIENCE, [=] { return e->busy == 0; });
}

} // namespace

void finish_dependents(launch_state *primary) {
    std::string names = primary->what->name;
    bool failed = primary->failed;
    for (early_launch *e = primary->dependent; e;) {
        launch_state *l = e->launch();
        names += std::string(", ") + l->what->name;
        {
            std::lock_guard<std::mutex> guard(e->lock);
            e->primary_ended = true;
            if (failed)
                l->failed = true;
        }
        e->changed.notify_all();
        if (e->has_begun)
            finish_early(e->pool);
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
    fflush(stdout);
    fprintf(stderr,
            "cudacpu: one of the kernels that overlap (%s) %s; CUDACPU_ASYNC=early tells which\n",
            names.c_str(), describe_damage(found).c_str());
    end_process(1);
}

namespace ptx {

void wait_for_primary(const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    if (observing)
        observing->primary_waited();
    early_launch *e = self->launch->early;
    if (!e || e->has_primary_ended())
        return;
    if (!self->together->awaits_primary) {
        self->together->awaits_primary = true;
        add_effect(await_primary, e);
    }
    wait_until(has_primary_ended, e, where, describe);
}

void launch_dependents(const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    if (observing)
        observing->dependents_launched();
    launch_state *l = self->launch;
    if (!l->may_overlap || self->triggered)
        return;
    self->triggered = true;
    if (++l->triggered == (uint64_t)l->grid.x * l->grid.y * l->grid.z)
        start_dependent(l);
}

} // namespace ptx
} // namespace cudacpu
