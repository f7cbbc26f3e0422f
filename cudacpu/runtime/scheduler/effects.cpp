/* effects.cpp - the list of a cluster's effects that are still to come. */
#include "effects.h"
#include "cluster.h"
#include "worker.h"

namespace cudacpu {

void add_effect(void (*perform)(void *), void *argument, void (*forget)(void *)) {
    self->together->effects.push_back({perform, forget, argument});
}

bool perform_effect() {
    cluster *c = self->together;
    if (c->effects.empty())
        return false;
    const effect oldest = c->effects.front();
    c->effects.pop_front();
    oldest.perform(oldest.argument);
    return true;
}

void forget_effects() {
    cluster *c = self->together;
    for (const effect &e : c->effects)
        if (e.forget)
            e.forget(e.argument);
    c->effects.clear();
}

} // namespace cudacpu
