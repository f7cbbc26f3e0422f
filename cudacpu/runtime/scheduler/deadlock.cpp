/* deadlock.cpp - no thread can go on: who waits where, and for what. */
#include "deadlock.h"
#include "barrier.h"
#include "collective.h"
#include "faults.h"
#include "runtime/host/source_place.h"
#include <map>
#include <mutex>
#include <vector>

namespace cudacpu {
namespace {

/* Threads that wait at the same place for the same. */
struct group {
    const site *where;
    std::string call, what; /* call: of the function that where is in; "" of the kernel */
    uint3 first;
    unsigned count;
};

const char BARRIER[] = "the block's barrier";

std::string describe_wait(const worker *w, unsigned thread) {
    const condition &c = w->conditions[thread];
    const std::string meeting = describe_meeting(w, thread);
    return w->calls[thread].waits ? "other lanes of its warp"
           : c.describe           ? c.describe(c.argument)
           : meeting.empty()      ? BARRIER
                                  : meeting;
}

/* Where the function was called that the thread waits in. */
std::string find_call_of(const worker *w, fiber *f) {
    static auto &known = *new std::map<std::vector<void *>, std::string>(); /* also at exit */
    if (!w->conditions[f->thread].describe)
        return "";
    enum { MOST = 32 };
    std::vector<void *> frames(MOST);
    frames.resize((size_t)trace_wait(f, frames.data(), MOST));
    const auto found = known.find(frames);
    if (found != known.end())
        return found->second;
    return known[frames] = find_call(frames.data(), (int)frames.size(), *f->where,
                                     {w->launch->file, w->launch->line});
}

std::vector<group> find_groups(const worker *w) {
    std::vector<group> groups;
    for (unsigned i = 0; i < w->waiting_count; i++) {
        fiber *f = w->waiting[i];
        const std::string what = describe_wait(w, f->thread), call = find_call_of(w, f);
        size_t g = 0;
        while (g < groups.size() && (groups[g].what != what || groups[g].call != call ||
                                     !same_place(groups[g].where, f->where)))
            g++;
        if (g == groups.size())
            groups.push_back({f->where, call, what, f->index, 0});
        groups[g].count++;
    }
    return groups;
}

std::string describe_block(const worker *w) {
    std::string text;
    for (const group &g : find_groups(w))
        text += (text.empty() ? "thread " : "; thread ") + format_triple(g.first) +
                (g.count > 1 ? " and " + std::to_string(g.count - 1) + " more wait" : " waits") +
                " at " + g.where->file + ":" + std::to_string(g.where->line) +
                (g.call.empty() ? "" : ", called from " + g.call + ",") + " for " + g.what;
    if (w->ended)
        text += "; " + std::to_string(w->ended) + " ended";
    return text;
}

} // namespace

void fail_deadlock(const cluster *c) {
    static auto &one = *new std::mutex; /* also at exit */
    std::lock_guard<std::mutex> guard(one);
    const worker *w = self;
    if (c->launch->failed) /* the blocks of another OS thread came first */
        return;
    if (!w->elsewhere) {
        fail_barrier(self, w->waiting_count);
        return;
    }
    std::string message =
        c->size > 1 ? "no thread of its cluster can go on: " : "none of its threads can go on: ";
    message += describe_block(w);
    for (unsigned i = 0; i < c->size; i++)
        if (c->blocks[i] != w)
            message +=
                "; block " + format_triple(find_block(c->launch, c->number, i)) +
                (c->blocks[i]->state == ENDED ? " ended" : ": " + describe_block(c->blocks[i]));
    unsigned first = 0;
    while (describe_wait(w, w->waiting[first]->thread) == BARRIER)
        first++;
    const site *where = w->waiting[first]->where;
    fail_launch(cudaErrorLaunchFailure, message, "deadlock", where->file, where->line);
}

} // namespace cudacpu
