/* named_barrier.cpp - bar.sync and bar.arrive with a number. */
#include "named_barrier.h"
#include "block.h"
#include "cluster.h"
#include "cudacpu/barrier.h"
#include "cudacpu/ptx.h"
#include "launch.h"
#include "observer.h"

namespace cudacpu {
namespace {

void open(named_barrier *b) {
    if (observing)
        observing->named_barrier_opens(b->number, b->threads.data(), (unsigned)b->threads.size());
    b->threads.clear();
    b->opened++;
}

/* The barrier that the running thread waits at, and which time. */
struct wait {
    named_barrier *barrier;
    uint64_t time;
};

bool is_open(void *argument) {
    const wait *w = static_cast<const wait *>(argument);
    named_barrier *b = w->barrier;
    if (b->opened == w->time && b->whole && b->threads.size() + b->block->ended >= b->expected)
        open(b);
    return b->opened != w->time;
}

std::string describe(void *argument) {
    const named_barrier *b = static_cast<const wait *>(argument)->barrier;
    return "barrier " + std::to_string(b->number) + " (" + std::to_string(b->threads.size()) +
           " of " + std::to_string(b->expected) + " threads have arrived)";
}

void check(uint32_t number, uint32_t threads, const site *where) {
    const unsigned most = (self->threads + 31) / 32 * 32;
    if (number >= NAMED_BARRIERS)
        fail_thread("wrong barrier", where,
                    "barrier " + std::to_string(number) + ": a block has barriers 0 to 15");
    if (threads % 32 != 0)
        fail_thread("wrong barrier", where,
                    "barrier " + std::to_string(number) + " for " + std::to_string(threads) +
                        " threads: whole warps take part, so a multiple of 32");
    if (threads > most)
        fail_thread("wrong barrier", where,
                    "barrier " + std::to_string(number) + " for " + std::to_string(threads) +
                        " threads: the block has " + std::to_string(self->threads));
}

named_barrier *arrive(uint32_t number, uint32_t threads, const site *where) {
    worker *w = self;
    named_barrier *b = &w->named_barriers[number];
    const bool whole = threads == 0 || threads > w->threads;
    const unsigned expected = whole ? w->threads : threads;
    if (!b->threads.empty() && b->expected != expected)
        fail_thread("wrong barrier", where,
                    "barrier " + std::to_string(number) + " for " + std::to_string(expected) +
                        " threads, but others wait at it for " + std::to_string(b->expected));
    b->block = w;
    b->number = number;
    b->expected = expected;
    b->whole = whole;
    b->threads.push_back(cudacpu_current->thread);
    w->together->vain_turns = 0;
    if (b->threads.size() == expected)
        open(b);
    return b;
}

} // namespace

void forget_named_barriers(worker *w) {
    for (named_barrier &b : w->named_barriers)
        b.threads.clear();
}

namespace ptx {

void barrier_sync(uint32_t number, uint32_t threads, const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    check(number, threads, where);
    if (number == 0 && (threads == 0 || threads >= self->threads)) {
        barrier(where);
        return;
    }
    wait w = {&self->named_barriers[number], self->named_barriers[number].opened};
    arrive(number, threads, where);
    wait_until(is_open, &w, where, describe);
}

void barrier_arrive(uint32_t number, uint32_t threads, const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    check(number, threads, where);
    if (threads == 0)
        fail_thread("wrong barrier", where,
                    "barrier.arrive without a number of threads, which it needs");
    arrive(number, threads, where);
}

} // namespace ptx
} // namespace cudacpu
