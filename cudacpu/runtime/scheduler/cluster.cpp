/* cluster.cpp - takes turns among the blocks of a cluster. When no thread of it can go on, the
 * oldest pending completion comes; then those that poll ask again; else it is a deadlock, and a
 * sentence says who waits where for what. */
#include "cluster.h"
#include "block.h"
#include "cudacpu/device_functions.h"
#include "cudacpu/polling.h"
#include "faults.h"
#include "grid.h"
#include "runtime/host/machine.h"
#include "runtime/host/symbolizer.h"
#include "shared_window.h"
#include "worker.h"
#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

namespace cudacpu {

/* ---- pending completions ---- */

void add_completion(std::function<void()> perform, bool comes_in_any_case) {
    self->together->completions.push_back({std::move(perform), comes_in_any_case});
}

/* ---- __nanosleep(), and loops that poll memory ---- */

namespace {

enum { TURNS = 16 };                    /* between looks at the clock, in nanoseconds */
const uint64_t SECONDS = 10000000000;   /* in vain */
const uint64_t AT_WORK = SECONDS / 2;   /* of them on a processor */
const uint64_t RECENT = 5000000000;     /* a cluster that looked in vain since still does */
const uint64_t HELP_PATIENCE = 3000000; /* before a block that has not begun gets an OS thread */
const uint64_t MOMENT = 500000;         /* that a thread polls before the others run */

std::string describe_sleep(void *) { return "what ends its loop of __nanosleep()"; }
std::string describe_poll(void *) { return "another value in the memory that its loop polls"; }

/* Of the clusters of a launch that looked in vain: since when, and when they last did. */
struct idle_times {
    uint64_t since, last;
};
std::mutex idle_lock;
std::map<const cluster *, idle_times> &idle = *new std::map<const cluster *, idle_times>();
uint64_t idle_launch;

/* Was the program stopped, or a machine with much to do, while the cluster looked in vain? Then it
 * has not looked for as long as it seems. */
bool had_no_processor(const cluster *c) {
    const uint64_t at_once = std::min<uint64_t>(c->launch->active, (unsigned)processors());
    return processor_nanoseconds() - c->idle_processor < at_once * AT_WORK;
}

/* Have all clusters that run looked in vain for SECONDS? */
bool is_without_progress(const cluster *c, uint64_t now) {
    std::lock_guard<std::mutex> guard(idle_lock);
    if (idle_launch != c->launch->number)
        idle.clear();
    idle_launch = c->launch->number;
    idle[c] = {c->idle_since, now};
    unsigned count = 0;
    for (const auto &entry : idle)
        count += now - entry.second.since > SECONDS && now - entry.second.last <= RECENT;
    return count >= c->launch->active;
}

} // namespace

static bool let_blocks_run(cluster *c) {
    launch_state *l = c->launch;
    std::this_thread::yield();
    if (++c->idle_turns % TURNS)
        return true;
    const uint64_t now = nanoseconds_now();
    if (c->idle_turns == TURNS)
        c->idle_since = c->helped = now, c->idle_processor = processor_nanoseconds();
    if (l->next < l->clusters && now - c->helped > HELP_PATIENCE) {
        c->helped = now;
        if (add_helper(l))
            return true;
    }
    return l->early || l->dependent || now - c->idle_since < SECONDS || had_no_processor(c) ||
           !is_without_progress(c, now);
}

void sleep_thread(const site *where) {
    find_fiber(where);
    let_others_run(nullptr, where, describe_sleep, true);
}

/* Once a thread of a block has polled for long, its others let each other run sooner. */
void poll_memory(polling *p, const site *where) {
    if (!cudacpu_current)
        return;
    worker *w = self;
    if (w->polled_block != w->blocks_begun) {
        const uint64_t now = nanoseconds_now();
        if (!p->since)
            p->since = now;
        if (now - p->since < MOMENT) {
            std::this_thread::yield();
            return;
        }
        w->polled_block = w->blocks_begun;
    }
    let_others_run(nullptr, where, describe_poll, true);
    p->rounds = polling::ROUNDS - polling::FEW;
}

/* ---- deadlock ---- */

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
    std::string message;
    for (const group &g : find_groups(w))
        message +=
            text(message.empty() ? "thread " : "; thread ", g.first,
                 g.count > 1 ? text(" and ", g.count - 1, " more wait") : " waits", " at ",
                 *g.where, g.call.empty() ? "" : ", called from " + g.call + ",", " for ", g.what);
    if (w->ended)
        message += text("; ", w->ended, " ended");
    return message;
}

void fail_deadlock(const cluster *c) {
    static auto &one = *new std::mutex; /* also at exit */
    std::lock_guard<std::mutex> guard(one);
    const worker *w = self;
    if (c->launch->failed) /* the blocks of another OS thread came first */
        return;
    if (!w->blocked) {
        fail_barrier(self, w->waiting_count);
        return;
    }
    std::string message =
        c->size > 1 ? "no thread of its cluster can go on: " : "none of its threads can go on: ";
    message += describe_block(w);
    for (unsigned i = 0; i < c->size; i++)
        if (c->blocks[i] != w)
            message +=
                text("; block ", find_block(c->launch, c->number, i),
                     c->blocks[i]->state == ENDED ? " ended" : ": " + describe_block(c->blocks[i]));
    unsigned first = 0;
    while (describe_wait(w, w->waiting[first]->thread) == BARRIER)
        first++;
    const site *where = w->waiting[first]->where;
    fail_launch(cudaErrorLaunchFailure, message, "deadlock", where->file, where->line);
}

/* ---- the blocks of a cluster ---- */

/* The oldest completion of this cluster happens; false: there is none. */
bool perform_completion(cluster *c) {
    if (c->completions.empty())
        return false;
    const completion oldest = std::move(c->completions.front());
    c->completions.pop_front();
    oldest.perform();
    return true;
}

void forget_completions(cluster *c) {
    for (const completion &e : c->completions)
        if (e.comes_in_any_case)
            e.perform();
    c->completions.clear();
}

/* Turns in which threads only spun; to take one among several OS threads is slow. */
unsigned most_idle_turns(const cluster *c) { return c->size == 1 ? 1000000 : 10000; }

/* ---- whose turn it is ---- */

void wait_for_turn(cluster *c, unsigned rank) {
    std::unique_lock<std::mutex> guard(c->lock);
    c->turns[rank].wait(guard, [&] { return c->running == rank; });
}

void give_turn(cluster *c, unsigned rank) {
    std::lock_guard<std::mutex> guard(c->lock);
    c->running = rank;
    c->turns[rank].notify_one();
}

/* The next block that has not ended; the leader once all have. */
unsigned find_next(const cluster *c, unsigned rank) {
    for (unsigned i = 1; i <= c->size; i++) {
        const unsigned next = (rank + i) % c->size;
        if (c->blocks[next]->state != ENDED)
            return next;
    }
    return 0;
}

/* How many threads of its blocks spin, or of those poll memory? */
unsigned count(const cluster *c, unsigned thread_states::*which) {
    unsigned all = 0;
    for (unsigned i = 0; i < c->size; i++)
        all += c->blocks[i]->state == RUNNING ? c->blocks[i]->*which : 0;
    return all;
}

/* ---- OS threads ---- */

void run_member(cluster *c, worker *w) {
    if (!c->aborted && !c->launch->failed) {
        begin_work(w, c->launch);
        w->state = RUNNING;
        run_block(w, find_block(c->launch, c->number, w->rank));
    }
    c->aborted |= w->aborted;
    w->state = ENDED;
    c->unfinished--;
    note_progress(c);
}

void run_crew(cluster *c, unsigned rank) {
    make_worker();
    delete self->together; /* it leads none */
    self->together = c;
    self->rank = rank;
    c->blocks[rank] = self;
    for (give_turn(c, 0);; give_turn(c, find_next(c, rank))) {
        wait_for_turn(c, rank);
        if (c->ends) {
            self->together = nullptr;
            give_turn(c, 0);
            return;
        }
        run_member(c, self);
        self->launch = nullptr;
    }
}

void make_crew(cluster *c, unsigned size) {
    if (c->process != getpid()) { /* after a fork the threads are gone */
        c->made = 1;
        c->crew = new std::vector<std::thread>();
    }
    c->process = getpid();
    for (; c->made < size; c->made++) {
        c->running = c->made;
        try {
            c->crew->emplace_back(run_crew, c, c->made);
        } catch (...) {
            say("no OS thread for a block of a cluster");
            exit(1);
        }
        wait_for_turn(c, 0);
    }
}

} // namespace

void end_cluster(cluster *c) {
    c->ends = true;
    for (unsigned rank = 1; rank < c->made && c->process == getpid(); rank++) {
        give_turn(c, rank);
        wait_for_turn(c, 0);
        (*c->crew)[rank - 1].join();
    }
    if (c->process == getpid())
        delete c->crew;
    delete c;
}

void run_cluster(worker *leader, launch_state *l, uint64_t number) {
    cluster *c = leader->together;
    const unsigned size = l->cluster.x * l->cluster.y * l->cluster.z;
    if (size > 1)
        make_crew(c, size);
    c->launch = l;
    c->number = number;
    c->size = c->unfinished = size;
    c->aborted = c->awaits_primary = false;
    c->idle = c->idle_turns = c->arrived = 0;
    c->first_phase = ++c->phase;
    for (unsigned i = 0; i < size; i++) {
        c->blocks[i]->state = NOT_BEGUN;
        c->blocks[i]->dynamic = place_dynamic(c->blocks[i], l->shared_bytes);
    }
    run_member(c, leader);
    if (c->unfinished) {
        give_turn(c, find_next(c, 0));
        wait_for_turn(c, 0);
    }
    forget_completions(c);
}

#ifdef CUDACPU_ASSERTS
static void check_cluster(const cluster *c, const worker *w) {
    unsigned unfinished = 0;
    for (unsigned i = 0; i < c->size; i++)
        unfinished += c->blocks[i]->state != ENDED;
    assert_that(c->running == w->rank, "the cluster's running");
    assert_that(c->unfinished == unfinished && c->idle < unfinished, "unfinished, idle");
}
#else
static void check_cluster(const cluster *, const worker *) {}
#endif

bool wait_for_others(worker *w) {
    cluster *c = w->together;
    check_cluster(c, w);
    if (++c->idle < c->unfinished) {
        give_turn(c, find_next(c, w->rank));
        wait_for_turn(c, w->rank);
        w->aborted = c->aborted || c->launch->failed;
        return !w->aborted;
    }
    c->idle = 0;
    if (perform_completion(c)) {
        note_progress(c);
    } else if (count(c, &thread_states::sleeping)
                   ? let_blocks_run(c)
                   : count(c, &thread_states::spinning) && ++c->idle_turns < most_idle_turns(c)) {
        c->turn++;
    } else {
        fail_deadlock(c);
        w->aborted = true;
    }
    w->aborted |= c->launch->failed;
    return !w->aborted;
}

/* Blocks are numbered along x, then y, then z; so are clusters in the grid, and the blocks in one.
 */
uint3 find_block(const launch_state *l, uint64_t number, unsigned rank) {
    const uint64_t across = l->grid.x / l->cluster.x, down = l->grid.y / l->cluster.y;
    return {(unsigned)(number % across) * l->cluster.x + rank % l->cluster.x,
            (unsigned)(number / across % down) * l->cluster.y + rank / l->cluster.x % l->cluster.y,
            (unsigned)(number / across / down) * l->cluster.z + rank / l->cluster.x / l->cluster.y};
}

} // namespace cudacpu
