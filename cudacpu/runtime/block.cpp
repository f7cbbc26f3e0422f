/* block.cpp - the threads of a block on fibers, which exist only where a barrier needs them. The
 * cost of a barrier is one jump per thread (cudacpu/fiber.h). */
#include "block.h"
#include "barrier.h"
#include "culprit.h"
#include "effects.h"
#include "observer.h"
#include "waiting.h"
#include "warp.h"
#include <cstring>

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

/* Runs CUDA threads until there is nothing left that this fiber could start. */
void run_fiber() {
    for (;;) {
        worker *w = self;
        fiber *f = cudacpu_current;
        while (w->started < w->threads) {
            f->thread = w->started++;
            f->index = w->next_index;
            if (++w->next_index.x == w->here->block_dim.x) {
                w->next_index.x = 0;
                if (++w->next_index.y == w->here->block_dim.y) {
                    w->next_index.y = 0;
                    w->next_index.z++;
                }
            }
            if (w->order) {
                unsigned t = f->thread = w->order[f->thread], x = w->here->block_dim.x,
                         y = w->here->block_dim.y;
                f->index = {t % x, t / x % y, t / x / y};
            }
            set_current(f);
            w->by_thread[f->thread] = f;
            w->launch->what->run(w->launch->what->arguments);
            if (w->launch->checking && did_damage(f))
                leave_fiber();
            w->done[f->thread] = true;
            w->early = f->thread;
            w->ended++;
        }
        go_to_next(f);
    }
}

/* Lets threads go on, one after the other, each until it waits or ends. False: the block cannot go
 * on. */
bool resume(worker *w, fiber **threads, unsigned count) {
    unsigned step = w->launch->checking ? 1 : count; /* a culprit is looked for after each */
    for (unsigned i = 0; i < count; i++)
        threads[i]->next = step == 1 || i + 1 == count ? &w->main : threads[i + 1];
    for (unsigned i = 0; i < count && !w->aborted; i += step) {
        set_current(threads[i]);
        switch_to(&w->main.saved, &threads[i]->saved);
        if (w->launch->checking && !w->aborted && !w->done[threads[i]->thread] &&
            did_damage(threads[i]))
            w->aborted = true;
    }
    return !w->aborted;
}

/* Starts the threads of a block, on one fiber after the other, each of which starts threads until
 * one of them waits. Then they go on in rounds: from a barrier, where all have to be, to the next.
 */
void run_threads(worker *w) {
    unsigned count = 0;
    while (w->started < w->threads) {
        fiber *f = get_fiber(w, count, run_fiber);
        if (!resume(w, &f, 1))
            return;
        if (!w->done[f->thread])
            w->waiting[count++] = f;
    }
    for (unsigned ended = w->ended; count;) {
        w->awake_count = 0;
        for (unsigned i = 0; i < count && w->warp_waiting; i++)
            if (w->calls[w->waiting[i]->thread].waits)
                finish_warp_call(w, w->waiting[i]->thread);
        if (w->condition_waiting)
            wake_ready(w, count);
        if (w->awake_count) {
            if (!resume(w, w->awake, w->awake_count))
                return;
        } else if (perform_effect(w)) {
            continue;
        } else if (w->warp_waiting || w->condition_waiting) {
            fail_barrier(w, count);
            return;
        } else if (!open_barrier(w, count) || !resume(w, w->waiting, count)) {
            return;
        }
        if (ended != w->ended) {
            ended = w->ended;
            unsigned all = count;
            count = 0;
            for (unsigned i = 0; i < all; i++)
                if (!w->done[w->waiting[i]->thread])
                    w->waiting[count++] = w->waiting[i];
        }
    }
}

} // namespace

LEAVES_FIBER void abort_block() {
    self->launch->failed = true;
    leave_fiber();
}

/* One block: its coordinates, its threads, and order again where they could not go on. */
void run_block(worker *w, uint64_t number) {
    launch_state *l = w->launch;
    w->here->block.x = (unsigned)(number % l->grid.x);
    w->here->block.y = (unsigned)(number / l->grid.x % l->grid.y);
    w->here->block.z = (unsigned)(number / l->grid.x / l->grid.y);
    w->started = w->ended = w->warp_waiting = w->condition_waiting = 0;
    w->next_index = {0, 0, 0};
    w->accumulated[0] = w->accumulated[1] = 0;
    memset(w->done, 0, w->threads);
    w->aborted = false;
    if (observing)
        observing->block_begins(number, w->threads, cudacpu_dynamic_shared, l->shared_bytes,
                                w->stacks, stacks_bytes(), &w->order);
    run_threads(w);
    forget_effects();
    cudacpu_current = nullptr;
    if (observing)
        observing->block_ends();
    if (w->aborted) { /* its fibers stand anywhere: begin with new ones */
        w->made = 0;
        for (warp_call &call : w->calls)
            call.waits = false;
        for (condition &c : w->conditions)
            c.ready = nullptr;
#ifdef CUDACPU_ASAN
        __asan_unpoison_memory_region(w->stacks, stacks_bytes());
#endif
    }
}

} // namespace cudacpu
