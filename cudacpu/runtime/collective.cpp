/* collective.cpp - the threads of a warp or a warpgroup come together; the last one does the work.
 */
#include "collective.h"
#include "barrier.h"
#include "block.h"
#include "launch.h"

namespace cudacpu {
namespace {

const char *group_name(unsigned count) { return count == 32 ? "warp" : "warpgroup"; }

std::string describe_meeting(void *argument) {
    const meeting *m = static_cast<const meeting *>(argument);
    std::string text = "all " + std::to_string(m->count) + " threads of its " +
                       group_name(m->count) + " (" + m->what + ")";
    for (unsigned i = m->first; i < m->first + m->count; i++)
        if (m->block->done[i])
            return text + ", of which thread " + format_triple(index_of(m->block, i)) +
                   " has ended";
    return text;
}

/* The running thread has come to another instruction than the first of its group. */
void fail_meeting(const meeting &m, const site *where, const char *what) {
    const worker *w = self;
    unsigned other = m.first;
    while (w->conditions[other].argument != &m || !w->conditions[other].describe)
        other++;
    fail_thread("divergent instruction", where,
                std::string(what) + ", while thread " + format_triple(index_of(w, other)) +
                    " of the same " + group_name(m.count) + " waits in " + m.what + " at " +
                    m.where->file + ":" + std::to_string(m.where->line) + ": all " +
                    std::to_string(m.count) + " threads execute the same instruction");
}

void fail_group(unsigned count, const site *where, const char *what) {
    fail_thread("divergent instruction", where,
                std::string(what) + " needs all " + std::to_string(count) + " threads of a " +
                    group_name(count) + "; the block has " + std::to_string(self->threads) +
                    " threads");
}

} // namespace

void meet(unsigned first, unsigned count, void *mine, void (*run)(void **all, unsigned count),
          const site *where, const char *what) {
    worker *w = self;
    fiber *f = cudacpu_current;
    if (first + count > w->threads)
        fail_group(count, where, what);
    const unsigned kind = count != 32;
    meeting *m = &w->meetings[kind][first / 32];
    void **all = &w->met[kind][first];
    all[f->thread - first] = mine;
    if (m->come == 0)
        *m = {w, run, where, what, first, count, 0};
    else if (m->run != run || !same_place(m->where, where))
        fail_meeting(*m, where, what);
    if (++m->come < count) {
        sleep_until_woken(w, m, where, describe_meeting);
        return;
    }
    m->come = 0;
    run(all, count);
    for (unsigned i = first; i < first + count; i++)
        if (i != f->thread)
            wake(w, i);
}

} // namespace cudacpu
