/* waiting.cpp - threads that wait for conditions, effects that are still to come, and what to say
 * when neither can go on. */
#include "waiting.h"
#include "barrier.h"
#include "effects.h"
#include "worker.h"

namespace cudacpu {

void wait_until(bool (*ready)(void *), void *argument, const site *where,
                std::string (*describe)(void *)) {
    fiber *f = cudacpu_current;
    if (!f)
        wait_outside_kernel(where);
    if (ready(argument))
        return;
    self->conditions[f->thread] = {ready, argument, describe};
    self->condition_waiting++;
    wait_at(where);
}

void wake_ready(worker *w, unsigned count) {
    for (unsigned i = 0; i < count && w->condition_waiting; i++) {
        condition *c = &w->conditions[w->waiting[i]->thread];
        if (c->ready && c->ready(c->argument)) {
            c->ready = nullptr;
            w->condition_waiting--;
            w->awake[w->awake_count++] = w->waiting[i];
        }
    }
}

void add_effect(void (*perform)(void *), void *argument, void (*forget)(void *)) {
    self->effects.push_back({perform, forget, argument});
}

bool perform_effect(worker *w) {
    if (w->effects.empty())
        return false;
    effect oldest = w->effects.front();
    w->effects.pop_front();
    oldest.perform(oldest.argument);
    return true;
}

void forget_effects() {
    for (const effect &e : self->effects)
        if (e.forget)
            e.forget(e.argument);
    self->effects.clear();
}

} // namespace cudacpu
