/* culprit.cpp - names the thread that wrote beyond an allocation. */
#include "culprit.h"
#include "cluster.h"
#include "grid.h"
#include "launch.h"
#include "pointer_text.h"
#include "program.h"
#include "watch.h"
#include <cstdio>
#include <string>
#include <unistd.h>

namespace cudacpu {

static bool checking_first; /* no thread was found yet */

std::string describe_damage(const damage &d) {
    const ptrdiff_t past = d.first - (d.where->data + d.where->bytes);
    const size_t distance = (size_t)(past >= 0 ? past + 1 : d.where->data - d.first);
    return "wrote " + count_bytes(distance) + (past >= 0 ? " past" : " before") + " a " +
           std::to_string(d.where->bytes) + "-byte allocation";
}

void find_culprit(launch_state *l, const damage &found) {
    restore_pattern(found);
    fflush(stdout);
    if (freopen("/dev/null", "w", stdout) == nullptr) /* what the kernel prints, it has printed */
        close(1);
    l->next = 0;
    l->failed = l->may_overlap = false;
    l->checking = checking_first = true;
    run_grid(l, true);
    fprintf(stderr, "cudacpu: kernel %s, launched at %s:%d, %s\n", l->what->name, l->file, l->line,
            describe_damage(found).c_str());
    end_process(1);
}

bool did_damage(const fiber *f) {
    damage now;
    if (!find_damage(&now))
        return false;
    worker *w = self;
    launch_state *l = w->launch;
    restore_pattern(now);
    if (checking_first && can_watch()) { /* this block again, watched; then on_step reports */
        checking_first = false;
        l->next = w->together->number;
        l->clusters = l->next + 1;
        l->checking = false;
        watch(now);
        return true;
    }
    fprintf(stderr, "cudacpu: kernel %s: block %s thread %s %s, launched at %s:%d\n", l->what->name,
            format_triple(w->here->block).c_str(), format_triple(f->index).c_str(),
            describe_damage(now).c_str(), l->file, l->line);
    end_process(1);
}

} // namespace cudacpu
