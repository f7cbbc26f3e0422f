/* collective.cpp - the threads of a warp or a warpgroup come together; the last one does the work.
 */
#include "collective.h"
#include "barrier.h"
#include "block.h"
#include "launch.h"
#include <cstring>

namespace cudacpu {
namespace {

const char *group_name(unsigned count) { return count == 32 ? "warp" : "warpgroup"; }

/* The running thread has come to another instruction than the first of its group. */
void fail_meeting(const meeting &m, const site *where, const char *what) {
    const worker *w = self;
    unsigned other = m.first;
    while (!w->met[m.count != 32][other])
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

std::string describe_meeting(const worker *w, unsigned thread) {
    const unsigned kind = w->met[1][thread] != nullptr;
    if (!w->met[kind][thread])
        return "";
    const meeting *m = &w->meetings[kind][thread / (kind ? 128 : 32) * (kind ? 4 : 1)];
    const std::string text = "all " + std::to_string(m->count) + " threads of its " +
                             group_name(m->count) + " (" + m->what + ")";
    for (unsigned i = m->first; i < m->first + m->count; i++)
        if (w->done[i])
            return text + ", of which thread " + format_triple(index_of(w, i)) + " has ended";
    return text;
}

void check_meeting(meeting *m, unsigned first, unsigned count, void (*run)(void **, unsigned),
                   const site *where, const char *what) {
    if (first + count > self->threads)
        fail_group(count, where, what);
    if (m->come && (m->run != run || !same_place(m->where, where)))
        fail_meeting(*m, where, what);
    if (m->come)
        return;
    *m = {run, where, what, first, count, 0};
    self->elsewhere++; /* once for all that wait */
}

void finish_meeting(meeting *m, void **all) {
    worker *w = self;
    const unsigned me = cudacpu_current->thread - m->first;
    m->come = 0;
    w->elsewhere--;
    m->run(all, m->count);
    memset(all, 0, m->count * sizeof *all);
    fiber **others = w->by_thread + m->first;
    if (w->launch->checking || w->started < w->threads) {
        fiber **awake = w->awake + w->awake_count;
        memcpy(awake, others, me * sizeof *awake);
        memcpy(awake + me, others + me + 1, (m->count - me - 1) * sizeof *awake);
        w->awake_count += m->count - 1;
        return;
    }
    /* The group goes on before all others do: what its threads use is in the cache. */
    fiber *last = cudacpu_current, *const next = last->next;
    for (unsigned i = 0; i < m->count; i++)
        if (i != me)
            last = last->next = others[i];
    last->next = next;
}

} // namespace cudacpu
