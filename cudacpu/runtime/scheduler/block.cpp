/* block.cpp - the threads of a block on fibers, which exist only where a barrier needs them. The
 * cost of a barrier is one jump per thread (cudacpu/fiber.h). It owns their states: nothing else
 * changes a counter of thread_states. */
#include "block.h"
#include "cluster.h"
#include "cudacpu/device_functions.h"
#include "faults.h"
#include "float_environment.h"
#include "runtime/host/observer.h"
#include "runtime/streams/async_mode.h"
#include "shared_window.h"
#include "worker.h"
#include <atomic>
#include <bitset>
#include <cstring>
#include <execinfo.h>
#include <mutex>

#ifdef CUDACPU_ASAN
extern "C" void __asan_unpoison_memory_region(void const volatile *, size_t);
#endif

namespace cudacpu {
namespace {

/* Leaves a thread that cannot go on, and its block. */
LEAVES_FIBER void leave_fiber() {
    self->aborted = true;
    context unused;
    switch_to(&unused, &self->main.saved);
#ifndef CUDACPU_ASAN
    __builtin_unreachable();
#endif
}

/* Where this thread's registers lie in its warp's tile (cudacpu/warp_matrix.h). */
void set_lane(fiber *f, warp_tile *tile) {
    const unsigned lane = f->thread % 32, group = lane / 4, place = lane % 4;
    f->lane = {
        tile,      &tile->a[group][place], &tile->b[place][group], tile->sums + 2 * lane, lane,
        1u << lane};
}

/* What comes after a thread, along x, then y, then z. */
thread_place find_next(thread_place place, const dim3 &block) {
    place += thread_place{1, 0, 0, 1};
    if (place[0] != block.x)
        return place;
    const bool wraps = place[1] + 1 == block.y;
    return thread_place{0, wraps ? 0 : place[1] + 1, place[2] + wraps, place[3]};
}

struct thread_end {}; /* thrown by a thread that ends within its functions */

void run_thread(const kernel *k) {
    try {
        k->run(k->arguments);
    } catch (const thread_end &) {
    }
}

/* Runs CUDA threads until there is nothing left that this fiber could start. */
void run_fiber() {
    for (;;) {
        worker *w = self;
        fiber *f = cudacpu_current;
        while (w->next[3] < w->threads) {
            reinterpret_cast<thread_place &>(f->index) = w->next;
            w->next = find_next(w->next, w->here->block_dim);
            if (w->order) {
                f->thread = w->order[f->thread];
                f->index = index_of(w, f->thread);
            }
            set_lane(f, &w->tiles[f->thread / 32]);
            set_current(f);
            w->by_thread[f->thread] = f;
            run_thread(w->launch->what);
            if (w->launch->checking && did_damage(f))
                leave_fiber();
            if (w->thread_ends)
                w->thread_ends(f->thread);
            w->done[f->thread] = true;
            w->early = f->thread;
            w->ended++;
        }
        go_to(f, f->next);
    }
}

/* Lets threads go on, one after the other, each until it waits or ends. False: the block cannot go
 * on. */
bool resume(worker *w, fiber **threads, unsigned count) {
    unsigned step = w->launch->checking ? 1 : count; /* a culprit is looked for after each */
    const bool in_one_go = threads == w->waiting && step == count;
    w->round++;
    if (!in_one_go || w->linked != count) /* else they still are */
        for (unsigned i = 0; i < count; i++)
            threads[i]->next = step == 1 || i + 1 == count ? &w->main : threads[i + 1];
    w->linked = in_one_go ? count : 0;
    for (unsigned i = 0; i < count && !w->aborted; i += step) {
        set_current(threads[i]);
        switch_to(&w->main.saved, &threads[i]->saved);
        if (w->launch->checking && !w->aborted && !w->done[threads[i]->thread] &&
            did_damage(threads[i]))
            w->aborted = true;
    }
    return !w->aborted;
}

/* Threads that were woken go on. */
bool resume_awake(worker *w) {
    fiber **running = w->awake;
    const unsigned count = w->awake_count;
    w->awake = w->lists[running == w->lists[0]];
    w->awake_count = 0;
    return resume(w, running, count);
}

/* ---- changes of state (thread_states) ---- */

void make_runnable(worker *w, fiber *f) { w->awake[w->awake_count++] = f; }

/* Its condition holds. */
void wake(worker *w, unsigned thread) {
    w->conditions[thread].describe = nullptr;
    w->blocked--;
    make_runnable(w, w->by_thread[thread]);
}

bool spins(void *) { return false; } /* known by its address */

/* Those of the first count of w->waiting whose condition holds. */
template <class Holds> void wake_those(worker *w, unsigned count, Holds holds) {
    for (unsigned i = 0; i < count; i++) {
        const unsigned thread = w->waiting[i]->thread;
        const condition &c = w->conditions[thread];
        if (c.describe && holds(c))
            wake(w, thread);
    }
}

/* Those that only let others run, if it is their turn. */
void wake_spinning(worker *w, unsigned count) {
    if (w->turn == w->together->turn)
        return;
    w->turn = w->together->turn;
    wake_those(w, count, [](const condition &c) { return c.ready == spins; });
}

/* A thread has changed how floats are rounded and waits: now the others would have it too. */
void restore_floats(worker *w) {
    KERNEL_FLOATS.use();
    warn(
        w, "block ", w->here->block,
        ": a thread has changed the CPU's rounding mode, which a GPU does not have, and waits: the "
        "default mode is back");
}

/* The group runs in the order of its threads, and then who comes after the running one. Until the
 * next round a warp stays in this order. */
void chain(worker *w, const meeting &m) {
    fiber *const next = cudacpu_current->next, **const threads = w->by_thread + m.first;
    for (unsigned i = 0; i + 1 < m.count; i++)
        threads[i]->next = threads[i + 1];
    threads[m.count - 1]->next = next;
    w->linked = 0;
    for (unsigned i = 0; i < m.count; i += 32)
        w->chained[(m.first + i) / 32] = w->round;
}

#ifdef CUDACPU_ASSERTS
/* Is the list of different threads that wait? */
void check_list(const worker *w, fiber *const *list, unsigned count, const char *name) {
    std::bitset<MAX_THREADS> seen;
    for (unsigned i = 0; i < count; i++) {
        const unsigned thread = list[i]->thread;
        assert_that(thread < w->threads && w->by_thread[thread] == list[i] && !w->done[thread] &&
                        !seen[thread],
                    name);
        seen.set(thread);
    }
}

/* All have started, and none runs. */
void check_threads(const worker *w) {
    unsigned in_warp = 0, conditions = 0, spinning = 0, meetings = 0, ended = 0;
    for (unsigned t = 0; t < w->threads; t++) {
        const bool in_call = w->calls[t].waits, has_condition = w->conditions[t].describe;
        const meeting *m = find_meeting(w, t);
        ended += w->done[t];
        in_warp += in_call;
        conditions += has_condition;
        spinning += has_condition && w->conditions[t].ready == spins;
        meetings += m && t == first_in_meeting(*m);
        assert_that(in_call + has_condition + (m != nullptr) + w->done[t] <= 1,
                    "a thread waits for two things, or has ended and waits");
    }
    assert_that(w->next[3] == w->threads, "a thread has not started");
    assert_that(w->ended == ended && w->waiting_count + ended == w->threads,
                "ended, waiting_count");
    assert_that(w->in_warp == in_warp, "in_warp");
    assert_that(w->blocked == conditions + meetings, "blocked");
    assert_that(w->spinning == spinning && w->sleeping <= spinning, "spinning, sleeping");
    check_list(w, w->waiting, w->waiting_count, "waiting");
    check_list(w, w->awake, w->awake_count, "awake");
    for (unsigned i = 0; i < w->awake_count; i++) {
        const unsigned t = w->awake[i]->thread;
        assert_that(!w->calls[t].waits && !w->conditions[t].describe && !find_meeting(w, t),
                    "a thread that is awake waits");
    }
    for (unsigned i = 0; i < w->linked; i++)
        assert_that(w->waiting[i]->next == (i + 1 == w->linked ? &w->main : w->waiting[i + 1]),
                    "linked");
}
#else
void check_threads(const worker *) {}
#endif

/* All threads that have not ended wait: some of them go on, or other blocks do. False: the block
 * cannot go on. */
bool go_on(worker *w) {
    const unsigned count = w->waiting_count;
    check_threads(w);
    if (float_environment::now() != KERNEL_FLOATS)
        restore_floats(w);
    for (unsigned i = 0; i < count && w->in_warp; i++)
        if (w->calls[w->waiting[i]->thread].waits)
            finish_warp_call(w, w->waiting[i]->thread);
    if (!w->awake_count && w->blocked)
        wake_those(w, count, [](const condition &c) { return c.ready(c.argument); });
    if (!w->awake_count && w->in_warp)
        finish_earliest_call(w, count);
    if (w->awake_count) {
        note_progress(w->together);
        return resume_awake(w);
    }
    if (w->spinning) {
        wake_spinning(w, count);
        if (w->awake_count) {
            w->together->idle = 0;
            return resume_awake(w);
        }
    }
    if (w->blocked || w->in_warp)
        return wait_for_others(w);
    note_progress(w->together);
    return open_barrier(w, count) && resume(w, w->waiting, count);
}

/* Starts the threads of a block, on one fiber after the other, each of which starts threads until
 * one of them waits. Then they go on in rounds: from a barrier, where all have to be, to the next.
 */
void run_threads(worker *w) {
    w->waiting_count = 0;
    while (w->next[3] < w->threads) {
        fiber *f = get_fiber(w, w->waiting_count, run_fiber);
        if (!resume(w, &f, 1))
            return;
        if (!w->done[f->thread])
            w->waiting[w->waiting_count++] = f;
    }
    for (unsigned ended = 0;;) {
        if (ended != w->ended) {
            ended = w->ended;
            unsigned all = w->waiting_count;
            w->waiting_count = w->linked = 0;
            for (unsigned i = 0; i < all; i++)
                if (!w->done[w->waiting[i]->thread])
                    w->waiting[w->waiting_count++] = w->waiting[i];
        }
        if (w->waiting_count == 0 || !go_on(w))
            return;
    }
}

/* After a block that could not go on: its fibers stand anywhere, so the next one has new ones. */
void forget_threads(worker *w) {
    w->made = 0;
    for (warp_call &call : w->calls)
        call.waits = false;
    for (condition &c : w->conditions)
        c.describe = nullptr;
    for (warp_tile &t : w->tiles)
        memset(t.together.come, 0, sizeof t.together.come);
    for (meeting &m : w->warpgroups)
        memset(m.come, 0, sizeof m.come);
#ifdef CUDACPU_ASAN
    __asan_unpoison_memory_region(w->stacks, stacks_bytes());
#endif
}

} // namespace

warp_call *begin_warp_call(worker *w, const warp_call &call) {
    warp_call *own = &w->calls[cudacpu_current->thread];
    *own = call;
    w->in_warp++;
    return own;
}
void end_warp_call(worker *w, unsigned thread) {
    w->calls[thread].waits = false;
    w->calls[thread].round = w->round;
    w->in_warp--;
    make_runnable(w, w->by_thread[thread]);
}

void begin_meeting(worker *w) { w->blocked++; }
fiber *end_meeting(worker *w, const meeting &m) {
    w->blocked--;
    fiber *const last = cudacpu_current, **const threads = w->by_thread + m.first;
    if (w->launch->checking || w->next[3] < w->threads) {
        for (unsigned i = 0; i < m.count; i++)
            if (threads[i] != last)
                make_runnable(w, threads[i]);
        return last;
    }
    /* The group goes on before all others do: what its threads use is in the cache. */
    if (m.count > 32 || w->chained[m.first / 32] != w->round)
        chain(w, m);
    return threads[0];
}

void order_waiting(worker *w, const unsigned short *order) {
    w->linked = 0;
    for (unsigned i = 0, ready = 0; i < w->threads; i++)
        if (!w->done[order[i]])
            w->waiting[ready++] = w->by_thread[order[i]];
}

void end_thread() { throw thread_end(); }

LEAVES_FIBER void abort_block() {
    self->launch->failed = true;
    leave_fiber();
}

void fail_thread(const char *kind, const site *where, const std::string &what) {
    const bool on_fiber = cudacpu_current != &self->main;
    fail_launch(cudaErrorLaunchFailure,
                on_fiber ? text("thread ", self->here->thread, " at ", *where, ": ", what) : what,
                kind, where->file, where->line);
    if (on_fiber)
        abort_block();
}

void stop_at_write(const std::string &file, int line, const std::string &what) {
    if (cudacpu_current == &self->main)
        return;
    fail_launch(cudaErrorIllegalAddress,
                text("thread ", self->here->thread, " at ", file, ":", line, ": ", what,
                     "; the launch ends here"),
                nullptr, file.c_str(), line);
    abort_block();
}

uint3 index_of(const worker *w, unsigned thread) {
    const unsigned x = w->here->block_dim.x, y = w->here->block_dim.y;
    return {thread % x, thread / x % y, thread / x / y};
}

static uint64_t number_of(uint3 block, dim3 grid) {
    return ((uint64_t)block.z * grid.y + block.y) * grid.x + block.x;
}
bool happens_late_here() {
    const launch_state *l = self->launch;
    return happens_late(l->number, number_of(self->here->block, l->grid));
}

void begin_work(worker *w, launch_state *l) {
    w->launch = l;
    w->threads = l->block.x * l->block.y * l->block.z;
    w->here->block_dim = l->block;
    w->here->grid_dim = l->grid;
    cudacpu_dynamic_shared = w->dynamic; /* which its cluster has placed */
    w->dynamic_address = address_of_dynamic(w->dynamic);
}

/* One block: its coordinates, its threads, and order again where they could not go on. */
void run_block(worker *w, uint3 block) {
    launch_state *l = w->launch;
    w->here->block = block;
    w->ended = w->in_warp = w->blocked = w->spinning = w->sleeping = w->awake_count = 0;
    w->awake = w->lists[0];
    w->next = thread_place{0, 0, 0, 0};
    w->accumulated[0] = w->accumulated[1] = 0;
    memset(w->done, 0, w->threads);
    w->aborted = w->triggered = false;
    cudacpu_waiting_at = {0, ~(uintptr_t)0};
    w->dynamic_bytes = (uint32_t)l->shared_bytes;
    w->blocks_begun++;
    w->thread_ends = nullptr;
    if (observers::any())
        tell(&observer::block_begins,
             {number_of(block, l->grid), w->threads, cudacpu_dynamic_shared, w->stacks,
              l->shared_bytes, stacks_bytes()},
             &w->order);
    const float_environment floats = float_environment::now();
    if (floats != KERNEL_FLOATS)
        KERNEL_FLOATS.use();
    run_threads(w);
    if (float_environment::now() != floats)
        floats.use();
    if (l->may_overlap && !w->triggered)
        l->triggered++;
    cudacpu_current = nullptr;
    w->dynamic_bytes = 0; /* outside a kernel no address is shared */
    if (w->records)
        w->records->end_block(w);
    tell_end(&observer::block_ends);
    if (w->aborted)
        forget_threads(w);
}

/* ---- threads that wait for conditions ---- */

namespace {

/* A fiber that is to say how it came to its wait. */
struct trace {
    fiber *who;
    void **frames;
    int most, count;
    context back;
};
std::atomic<trace *> tracing;

void wait_for(worker *w, const condition &c, const site *where) {
    fiber *me = cudacpu_current;
    w->conditions[me->thread] = c;
    w->blocked++;
    wait_at(where);
    for (trace *t; (t = tracing) && t->who == me;) {
        t->count = backtrace(t->frames, t->most);
        switch_to(&me->saved, &t->back);
    }
}

} // namespace

void wait_until(bool (*ready)(void *), void *argument, const site *where,
                std::string (*describe)(void *)) {
    find_fiber(where);
    if (!ready(argument))
        wait_for(self, {ready, argument, describe}, where);
}

void let_others_run(void *argument, const site *where, std::string (*describe)(void *),
                    bool polls_memory) {
    worker *w = self;
    w->spinning++;
    w->sleeping += polls_memory;
    wait_for(w, {spins, argument, describe}, where);
    w->spinning--;
    w->sleeping -= polls_memory;
}

int trace_wait(fiber *f, void **frames, int most) {
    static std::mutex one;
    std::lock_guard<std::mutex> guard(one);
    static trace t; /* in memory, whatever is clobbered */
    t.who = f, t.frames = frames, t.most = most, t.count = 0;
    tracing = &t;
    switch_to(&t.back, &f->saved);
    tracing = nullptr;
    return t.count;
}

} // namespace cudacpu
