/* async_operations.cpp - keeps the asynchronous operations of a block. */
#include "async_operations.h"
#include "knowledge.h"
#include "observed_launch.h"
#include <cstring>

namespace cudacpu::inspect {

void begin_async(observed_worker *w) {
    if (!w->async)
        w->async = new async_state();
    async_state *a = w->async;
    a->operations.clear();
    for (auto *groups : {&a->copies, &a->stores, &a->sources})
        groups->assign(w->threads, {});
    memset(a->proxy_fence, 0, sizeof a->proxy_fence);
    memset(a->init_fence, 0, sizeof a->init_fence);
    memset(a->wgmma_groups, 0, sizeof a->wgmma_groups);
    for (auto &o : a->operands)
        o.group = UINT32_MAX;
}

uint32_t add_operation(observed_worker *w, const async_operation &o) {
    w->async->operations.push_back(o);
    return (uint32_t)w->async->operations.size() - 1;
}

async_operation *find_operation(const observed_worker *w, uint64_t block, uint32_t number) {
    const int rank = w->knows->rank_of(block);
    return rank < 0 ? nullptr : &w->knows->worker[rank]->async->operations[number];
}

bool is_done(const observed_worker *w, unsigned thread, uint64_t block, const async_operation &o) {
    if (o.kind == OPERANDS) {
        const int rank = w->knows->rank_of(block);
        for (unsigned warp = o.thread / 32; warp < o.thread / 32 + 4; warp++)
            if (known_entry(w, thread, w->knows->warp_entry((unsigned)rank, warp)) <= o.phase)
                return false;
        return true;
    }
    return (o.done && knows(w, thread, block, o.thread, o.done)) ||
           (o.entry != NO_ENTRY && known_entry(w, thread, o.entry) > o.phase);
}

std::string describe_wait(const observed_worker *w, uint64_t block, const async_operation &o) {
    if (o.kind == OPERANDS)
        return "no wgmma.wait_group of all its warps lies between";
    if (o.kind == LOAD)
        return "no wait for phase " + std::to_string(o.phase) + " of its mbarrier lies between";
    const int rank = w->knows->rank_of(block);
    const async_state *a = w->knows->worker[rank]->async;
    const async_groups &g = (o.kind == COPY     ? a->copies
                             : o.kind == STORED ? a->stores
                                                : a->sources)[o.thread];
    if (o.done)
        return "its thread has waited for it, and no barrier lies between";
    if (!g.waited.line)
        return "thread " + thread_name(o.thread) + " has not waited for it";
    for (size_t back = 0; back < g.groups.size(); back++)
        for (uint32_t number : g.groups[g.groups.size() - 1 - back])
            if (&a->operations[number] == &o)
                return std::string("the wait at ") + g.waited.file + ":" +
                       std::to_string(g.waited.line) + " leaves the newest " +
                       std::to_string(g.waited_newest) +
                       " groups on their way, and it is one of them";
    return "its thread has not waited for it";
}

uint32_t open_operation(observed_worker *w, async_groups &g, async_kind kind, unsigned thread) {
    if (g.sealed || g.groups.back().empty())
        g.groups.back().push_back(add_operation(w, {kind, thread, 0, NO_ENTRY, 0}));
    g.sealed = false;
    return g.groups.back().back();
}

void close_group(async_groups &g) { g.groups.emplace_back(); }

void finish_groups(observed_worker *w, async_groups &g, size_t newest, bool all,
                   const site *where) {
    g.waited = *where;
    g.waited_newest = newest;
    while (g.groups.size() - 1 > newest || (all && !g.groups.front().empty())) {
        for (uint32_t number : g.groups.front())
            if (!w->async->operations[number].done)
                w->async->operations[number].done = w->clock;
        if (g.groups.size() > 1)
            g.groups.pop_front();
        else
            g.groups.front().clear();
    }
}

} // namespace cudacpu::inspect
