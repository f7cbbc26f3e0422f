/* named_barrier.cpp - bar.sync and bar.arrive with a number. */
#include "barriers.h"
#include "cudacpu/barrier.h"
#include "cudacpu/ptx.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/cluster.h"
#include "runtime/scheduler/faults.h"

namespace cudacpu {
namespace {

void open(named_barrier *b) {
    if (observing)
        observing->named_barrier_opens(b->number, b->waiting.data(), (unsigned)b->waiting.size());
    b->forget();
    b->opened++;
}

/* The barrier that the running thread waits at, and which time. */
struct named_barrier_wait {
    named_barrier *barrier;
    uint64_t time;
};

bool has_opened(void *argument) {
    const named_barrier_wait *w = static_cast<const named_barrier_wait *>(argument);
    named_barrier *b = w->barrier;
    if (b->opened == w->time && b->whole && b->arrived + b->block->ended >= b->expected)
        open(b);
    return b->opened != w->time;
}

std::string describe_named_barrier(void *argument) {
    const named_barrier *b = static_cast<const named_barrier_wait *>(argument)->barrier;
    return "barrier " + std::to_string(b->number) + " (" + std::to_string(b->arrived) + " of " +
           std::to_string(b->expected) + " threads have arrived)";
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

void arrive(uint32_t number, uint32_t threads, bool waits, const site *where) {
    worker *w = self;
    named_barrier *b = &barriers_of(w)->named[number];
    const bool whole = threads == 0 || threads > w->threads;
    const unsigned expected = whole ? w->threads : threads;
    if (b->arrived && b->expected != expected)
        fail_thread("wrong barrier", where,
                    "barrier " + std::to_string(number) + " for " + std::to_string(expected) +
                        " threads, but others wait at it for " + std::to_string(b->expected));
    b->block = w;
    b->number = number;
    b->expected = expected;
    b->whole = whole;
    b->arrived++;
    if (waits)
        b->waiting.push_back(cudacpu_current->thread);
    if (observing)
        observing->named_barrier_arrived(number);
    note_arrival(w->together);
    if (b->arrived == expected)
        open(b);
}

} // namespace

namespace ptx {

void barrier_sync(uint32_t number, uint32_t threads, const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    check(number, threads, where);
    if (number == 0 && (threads == 0 || threads >= self->threads)) {
        barrier(where);
        return;
    }
    named_barrier *b = &barriers_of(self)->named[number];
    named_barrier_wait w = {b, b->opened};
    arrive(number, threads, true, where);
    wait_until(has_opened, &w, where, describe_named_barrier);
}

void barrier_arrive(uint32_t number, uint32_t threads, const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    check(number, threads, where);
    if (threads == 0)
        fail_thread("wrong barrier", where,
                    "barrier.arrive without a number of threads, which it needs");
    arrive(number, threads, false, where);
}

} // namespace ptx
} // namespace cudacpu
