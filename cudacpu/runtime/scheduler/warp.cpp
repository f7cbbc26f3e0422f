/* warp.cpp - threads of a warp or a warpgroup converge: warp functions (shuffles, votes,
 * reductions), which give each lane its result; and instructions for which all come, and the last
 * one does the work. */
#include "block.h"
#include "faults.h"
#include "runtime/host/observer.h"
#include <cstdlib>
#include <cstring>
#include <string>

namespace cudacpu {

namespace {

/* What the lanes' values make together for the one that asked with g. Lanes that take no part are
 * NULL. */
uint64_t combine(warp_call *const lanes[32], const warp_call &g) {
    uint64_t all = 0;
    bool any = false;
    for (unsigned l = 0; l < 32; l++) {
        if (!lanes[l])
            continue;
        uint64_t v = lanes[l]->value;
        switch (g.operation) {
        /* clang-format off */
        case WARP_BALLOT: all |= (v & 1) << l; break;
        case WARP_MATCH: all |= (uint64_t)(v == g.value) << l; break;
        case WARP_ADD: all += v; break;
        case WARP_MIN: all = any && all < v ? all : v; break;
        case WARP_MAX: all = any && all > v ? all : v; break;
        case WARP_AND: all = any ? all & v : v; break;
        case WARP_OR: all |= v; break;
        default: all ^= v; break;
            /* clang-format on */
        }
        any = true;
    }
    return all;
}

/* A lane of the mask that has ended gives no value, on a GPU 0. No fault: a right program may
 * ignore what it gets. */
void check_source(const worker *w, unsigned thread, const warp_call &g) {
    const unsigned lane = g.source & 31, source = (thread & ~31u) + lane;
    if (g.mask >> lane & 1 && source < w->threads && w->done[source])
        warn(w, "lane ", thread & 31, " at ", *w->by_thread[thread]->where, " shuffles from lane ",
             lane, " of its warp, which has ended: what it gets is undefined");
}

bool is_shuffle(const warp_call &g) {
    return g.operation == WARP_SHUFFLE || g.operation == WARP_SLIDE;
}

/* Now: that one waits, or has got its result since threads went on the last time. */
bool shuffle_together(const worker *w, unsigned thread, unsigned other) {
    const warp_call &call = w->calls[other];
    return (call.waits || call.round == w->round) && is_shuffle(call) &&
           same_place(w->by_thread[thread]->where, w->by_thread[other]->where);
}

/* The lanes of the call in which a thread waits, NULL for others; false: they are not all there. */
bool find_lanes(worker *w, unsigned thread, warp_call *lanes[32]) {
    const unsigned first = thread & ~31u, mask = w->calls[thread].mask;
    for (unsigned l = 0; l < 32; l++) {
        lanes[l] = nullptr;
        if (!(mask >> l & 1) || first + l >= w->threads || w->done[first + l])
            continue;
        lanes[l] = &w->calls[first + l];
        if (!lanes[l]->waits || lanes[l]->mask != mask)
            return false;
    }
    return true;
}

/* Does a lane ask one that is not in the mask and may still come to this shuffle? */
bool asks_absent(const worker *w, unsigned first, warp_call *const lanes[32]) {
    for (unsigned l = 0; l < 32; l++) {
        if (!lanes[l] || !is_shuffle(*lanes[l]))
            continue;
        const unsigned asked = lanes[l]->source & 31, source = first + asked;
        if (!(lanes[l]->mask >> asked & 1) && source < w->threads && !w->done[source] &&
            !shuffle_together(w, first + l, source))
            return true;
    }
    return false;
}

/* From a lane that is not in the mask a shuffle gets, as on a GPU, what the lane passes if it
 * shuffles at the same place at the same time, and else 0. */
uint64_t read_outside_mask(const worker *w, unsigned thread, const warp_call &g) {
    const unsigned source = (thread & ~31u) + (g.source & 31);
    if (source >= w->threads || w->done[source])
        return 0;
    return shuffle_together(w, thread, source) ? w->calls[source].value : 0;
}

/* Lanes get what the guide leaves undefined. A right program may ignore what it gets where a part
 * of the lanes slides past the end of the mask: said where all of them do. */
void mark_undefined(warp_call *const lanes[32]) {
    bool all = true;
    for (unsigned l = 0; l < 32; l++)
        if (lanes[l])
            all &= is_shuffle(*lanes[l]) && !(lanes[l]->mask >> (lanes[l]->source & 31) & 1);
    for (unsigned l = 0; l < 32; l++)
        if (lanes[l])
            lanes[l]->undefined = (all || lanes[l]->operation == WARP_SHUFFLE) &&
                                  !(lanes[l]->mask >> (lanes[l]->source & 31) & 1);
}

/* The running thread has got it. */
void say_undefined(const worker *w, const warp_call &g, const site &where) {
    const std::string message =
        print("lane %u shuffles from lane %d of its warp, which is not in the mask 0x%08x: what it "
              "gets is undefined",
              cudacpu_current->thread & 31, g.source & 31, g.mask);
    warn(w, where, ": ", message);
    tell(&observer::fault, "shuffle outside the mask", where.file, where.line, message.c_str());
}

void finish(worker *w, unsigned thread, warp_call *const lanes[32]) {
    const unsigned first = thread & ~31u, mask = w->calls[thread].mask;
    bool outside = false; /* a lane asks one that is not in the mask */
    for (unsigned l = 0; l < 32; l++) {
        warp_call *g = lanes[l];
        if (!g || g->operation == WARP_SYNC)
            continue;
        const warp_call *source = lanes[g->source & 31];
        if (!is_shuffle(*g)) {
            g->result = combine(lanes, *g);
        } else if (source) {
            g->result = source->value;
        } else if (mask >> (g->source & 31) & 1) {
            g->result = 0;
            check_source(w, first + l, *g);
        } else {
            g->result = read_outside_mask(w, first + l, *g);
            outside = true;
        }
    }
    if (outside)
        mark_undefined(lanes);
    tell(&observer::warp_synchronised, first);
    for (unsigned l = 0; l < 32; l++)
        if (lanes[l])
            end_warp_call(w, first + l);
}

} // namespace

bool is_complete_call(worker *w, unsigned thread) {
    warp_call *lanes[32];
    return w->calls[thread].waits && find_lanes(w, thread, lanes);
}

void finish_warp_call(worker *w, unsigned thread) {
    warp_call *lanes[32];
    if (!find_lanes(w, thread, lanes))
        return;
    if (w->calls[thread].mask == ~0u || !asks_absent(w, thread & ~31u, lanes))
        finish(w, thread, lanes);
}

void finish_earliest_call(worker *w, unsigned count) {
    warp_call *lanes[32];
    const fiber *earliest = nullptr;
    for (unsigned i = 0; i < count; i++)
        if (is_complete_call(w, w->waiting[i]->thread) &&
            (!earliest || comes_first(w->waiting[i]->where, earliest->where)))
            earliest = w->waiting[i];
    if (earliest && find_lanes(w, earliest->thread, lanes))
        finish(w, earliest->thread, lanes);
    for (unsigned i = 0; i < count; i++) /* those that ask its lanes */
        if (w->calls[w->waiting[i]->thread].waits)
            finish_warp_call(w, w->waiting[i]->thread);
}

uint64_t warp(unsigned mask, warp_operation operation, uint64_t value, int source, const char *file,
              int line) {
    worker *w = self;
    fiber *f = cudacpu_current;
    if (!f) {
        say("a warp function outside a kernel at ", file, ":", line);
        exit(1);
    }
    if (!(mask >> (f->thread & 31) & 1)) {
        fail_launch(cudaErrorLaunchFailure,
                    text("thread ", f->index, " is not in the mask of its warp function at ", file,
                         ":", line),
                    "wrong mask", file, line);
        abort_block();
    }
    const warp_call *call = begin_warp_call(w, {true, false, mask, value, 0, source, operation, 0});
    site where = {file, line};
    wait_at(&where);
    if (call->undefined)
        say_undefined(w, *call, where);
    return call->result;
}

unsigned present_lanes() {
    worker *w = self;
    unsigned first = cudacpu_current->thread & ~31u, mask = 0;
    for (unsigned l = 0; l < 32 && first + l < w->threads; l++)
        mask |= (unsigned)!w->done[first + l] << l;
    return mask;
}

int lane() { return (int)(here().number & 31); }

/* ---- instructions of a warp or a warpgroup (cudacpu/meeting.h) ---- */

static const char *group_name(unsigned count) { return count == 32 ? "warp" : "warpgroup"; }

static bool has_come(const meeting &m, unsigned thread) {
    return m.come[(thread - m.first) / 32] >> thread % 32 & 1;
}

static bool is_open(const meeting &m) { return m.come[0] | m.come[1] | m.come[2] | m.come[3]; }

/* The running thread has come to another instruction than the first of its group. */
static void fail_meeting(const meeting &m, const site *where, const char *what) {
    const unsigned other = first_in_meeting(m);
    fail_thread("divergent instruction", where, what, ", while thread ", index_of(self, other),
                " of the same ", group_name(m.count), " waits in ", m.what, " at ", *m.where,
                ": all ", m.count, " threads execute the same instruction");
}

const meeting *find_meeting(const worker *w, unsigned thread) {
    const meeting *m = &w->tiles[thread / 32].together;
    if (!is_open(*m) || !has_come(*m, thread))
        m = &w->warpgroups[thread / 128];
    return is_open(*m) && has_come(*m, thread) ? m : nullptr;
}
unsigned first_in_meeting(const meeting &m) {
    unsigned thread = m.first;
    while (!has_come(m, thread))
        thread++;
    return thread;
}

std::string describe_meeting(const worker *w, unsigned thread) {
    const meeting *m = find_meeting(w, thread);
    if (!m)
        return "";
    const std::string message =
        text("all ", m->count, " threads of its ", group_name(m->count), " (", m->what, ")");
    for (unsigned i = m->first; i < m->first + m->count; i++)
        if (w->done[i])
            return text(message, ", of which thread ", index_of(w, i), " has ended");
    return message;
}

void check_meeting(meeting *m, unsigned first, unsigned count, void (*run)(warp_tile *),
                   const site *where, const char *what) {
    if (first + count > self->threads)
        fail_thread("divergent instruction", where, what, " needs all ", count, " threads of a ",
                    group_name(count), "; the block has ", self->threads, " threads");
    if (is_open(*m)) {
        if (m->run != run || !same_place(m->where, where))
            fail_meeting(*m, where, what);
        return;
    }
    *m = {{0, 0, 0, 0}, where, run, what, first, count};
    begin_meeting(self);
}

fiber *finish_meeting(meeting *m) {
    worker *w = self;
    memset(m->come, 0, sizeof m->come);
    if (m->run)
        m->run(&w->tiles[m->first / 32]);
    return end_meeting(w, *m);
}

void meet_warpgroup(const site *where, const char *what) {
    fiber *f = find_fiber(where);
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
