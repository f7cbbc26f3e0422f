/* collective.cpp - the threads of a warp or a warpgroup come together; the last one does the work.
 */
#include "collective.h"
#include "barrier.h"
#include "block.h"
#include "faults.h"
#include <cstring>

namespace cudacpu {
namespace {

const char *group_name(unsigned count) { return count == 32 ? "warp" : "warpgroup"; }

bool has_come(const meeting &m, unsigned thread) {
    return m.come[(thread - m.first) / 32] >> thread % 32 & 1;
}

bool is_open(const meeting &m) { return m.come[0] | m.come[1] | m.come[2] | m.come[3]; }

/* The running thread has come to another instruction than the first of its group. */
void fail_meeting(const meeting &m, const site *where, const char *what) {
    unsigned other = m.first;
    while (!has_come(m, other))
        other++;
    fail_thread("divergent instruction", where,
                std::string(what) + ", while thread " + format_triple(index_of(self, other)) +
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

/* The group runs in the order of its threads, and then who comes after the running one. Until the
 * next round a warp stays in this order. */
void chain(worker *w, const meeting *m) {
    fiber *const next = cudacpu_current->next, **const threads = w->by_thread + m->first;
    for (unsigned i = 0; i + 1 < m->count; i++)
        threads[i]->next = threads[i + 1];
    threads[m->count - 1]->next = next;
    w->linked = 0;
    for (unsigned i = 0; i < m->count; i += 32)
        w->chained[(m->first + i) / 32] = w->round;
}

} // namespace

std::string describe_meeting(const worker *w, unsigned thread) {
    const meeting *m = &w->tiles[thread / 32].together;
    if (!is_open(*m) || !has_come(*m, thread))
        m = &w->warpgroups[thread / 128];
    if (!is_open(*m) || !has_come(*m, thread))
        return "";
    const std::string text = "all " + std::to_string(m->count) + " threads of its " +
                             group_name(m->count) + " (" + m->what + ")";
    for (unsigned i = m->first; i < m->first + m->count; i++)
        if (w->done[i])
            return text + ", of which thread " + format_triple(index_of(w, i)) + " has ended";
    return text;
}

void check_meeting(meeting *m, unsigned first, unsigned count, void (*run)(warp_tile *),
                   const site *where, const char *what) {
    if (first + count > self->threads)
        fail_group(count, where, what);
    if (is_open(*m)) {
        if (m->run != run || !same_place(m->where, where))
            fail_meeting(*m, where, what);
        return;
    }
    *m = {{0, 0, 0, 0}, where, run, what, first, count};
    self->elsewhere++; /* once for all that wait */
}

fiber *finish_meeting(meeting *m) {
    worker *w = self;
    fiber *const last = cudacpu_current, **const threads = w->by_thread + m->first;
    memset(m->come, 0, sizeof m->come);
    w->elsewhere--;
    if (m->run)
        m->run(&w->tiles[m->first / 32]);
    if (w->launch->checking || w->next[3] < w->threads) {
        for (unsigned i = 0; i < m->count; i++)
            if (threads[i] != last)
                w->awake[w->awake_count++] = threads[i];
        return last;
    }
    /* The group goes on before all others do: what its threads use is in the cache. */
    if (m->count > 32 || w->chained[m->first / 32] != w->round)
        chain(w, m);
    return threads[0];
}

void meet_warpgroup(const site *where, const char *what) {
    fiber *f = cudacpu_current;
    if (!f)
        wait_outside_kernel(where);
    const unsigned thread = f->thread, first = thread & ~127u;
    meeting *m = &self->warpgroups[thread / 128];
    if (!is_open(*m) || !same_place(m->where, where))
        check_meeting(m, first, 128, nullptr, where, what);
    m->come[(thread - first) / 32] |= 1u << thread % 32;
    f->where = where;
    fiber *to = f->next;
    if ((m->come[0] & m->come[1] & m->come[2] & m->come[3]) == ~0u)
        to = finish_meeting(m);
    set_current(to);
    switch_to(&f->saved, &to->saved);
}

} // namespace cudacpu
