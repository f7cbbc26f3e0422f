/* waiting.cpp - threads that wait for conditions. */
#include "waiting.h"
#include "barrier.h"
#include "cluster.h"
#include "worker.h"
#include <atomic>
#include <execinfo.h>
#include <mutex>

namespace cudacpu {
namespace {

bool spins(void *) { return false; } /* wake_spinning knows it by its address */

/* A fiber that is to say how it came to its wait. */
struct trace {
    fiber *who;
    void **frames;
    int most, count;
    context back;
};
std::atomic<trace *> tracing;

void wait_for(worker *w, const condition &c, const site *where) {
    fiber *me = cudacpu_current;
    w->conditions[me->thread] = c;
    w->elsewhere++;
    wait_at(where);
    for (trace *t; (t = tracing) && t->who == me;) {
        t->count = backtrace(t->frames, t->most);
        switch_to(&me->saved, &t->back);
    }
}

} // namespace

void wait_until(bool (*ready)(void *), void *argument, const site *where,
                std::string (*describe)(void *)) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    if (!ready(argument))
        wait_for(self, {ready, argument, describe}, where);
}

void let_others_run(void *argument, const site *where, std::string (*describe)(void *)) {
    worker *w = self;
    w->spinning++;
    wait_for(w, {spins, argument, describe}, where);
    w->spinning--;
}

int trace_wait(fiber *f, void **frames, int most) {
    static std::mutex one;
    std::lock_guard<std::mutex> guard(one);
    static trace t; /* in memory, whatever is clobbered */
    t.who = f, t.frames = frames, t.most = most, t.count = 0;
    tracing = &t;
    switch_to(&t.back, &f->saved);
    tracing = nullptr;
    return t.count;
}

void wake(worker *w, unsigned thread) {
    w->conditions[thread].describe = nullptr;
    w->elsewhere--;
    w->awake[w->awake_count++] = w->by_thread[thread];
}

void wake_ready(worker *w, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const unsigned thread = w->waiting[i]->thread;
        const condition &c = w->conditions[thread];
        if (c.describe && c.ready && c.ready(c.argument))
            wake(w, thread);
    }
}

void wake_spinning(worker *w, unsigned count) {
    if (w->turn == w->together->turn)
        return;
    w->turn = w->together->turn;
    for (unsigned i = 0; i < count; i++) {
        const condition &c = w->conditions[w->waiting[i]->thread];
        if (c.describe && c.ready == spins)
            wake(w, w->waiting[i]->thread);
    }
}

} // namespace cudacpu
