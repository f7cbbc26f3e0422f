/* barriers.cpp - named barriers (bar.sync and bar.arrive with a number); barrier.cluster, and what
 * a kernel asks of its cluster, which a cooperative launch's grid is, too. */
#include "barriers.h"
#include "cudacpu/barrier.h"
#include "cudacpu/ptx.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/cluster.h"

namespace cudacpu {

/* ---- named barriers ---- */

namespace {

void open(named_barrier *b) {
    tell(&observer::named_barrier_opens, b->number, b->waiting.data(), (unsigned)b->waiting.size());
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
    return text("barrier ", b->number, " (", b->arrived, " of ", b->expected,
                " threads have arrived)");
}

void check(uint32_t number, uint32_t threads, const site *where) {
    const unsigned most = (self->threads + 31) / 32 * 32;
    if (number >= NAMED_BARRIERS)
        fail_thread("wrong barrier", where, "barrier ", number, ": a block has barriers 0 to 15");
    if (threads % 32 != 0)
        fail_thread("wrong barrier", where, "barrier ", number, " for ", threads,
                    " threads: whole warps take part, so a multiple of 32");
    if (threads > most)
        fail_thread("wrong barrier", where, "barrier ", number, " for ", threads,
                    " threads: the block has ", self->threads);
}

void arrive(uint32_t number, uint32_t threads, bool waits, const site *where) {
    worker *w = self;
    named_barrier *b = &barriers_of(w)->named[number];
    const bool whole = threads == 0 || threads > w->threads;
    const unsigned expected = whole ? w->threads : threads;
    if (b->arrived && b->expected != expected)
        fail_thread("wrong barrier", where, "barrier ", number, " for ", expected,
                    " threads, but others wait at it for ", b->expected);
    b->block = w;
    b->number = number;
    b->expected = expected;
    b->whole = whole;
    b->arrived++;
    if (waits)
        b->waiting.push_back(cudacpu_current->thread);
    tell(&observer::named_barrier_arrived, number);
    note_arrival(w->together);
    if (b->arrived == expected)
        open(b);
}

} // namespace

void ptx::barrier_sync(uint32_t number, uint32_t threads, const site *where) {
    find_fiber(where);
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

void ptx::barrier_arrive(uint32_t number, uint32_t threads, const site *where) {
    find_fiber(where);
    check(number, threads, where);
    if (threads == 0)
        fail_thread("wrong barrier", where,
                    "barrier.arrive without a number of threads, which it needs");
    arrive(number, threads, false, where);
}

/* ---- clusters ---- */

static unsigned along(const dim3 &size, int axis) {
    return axis == 0 ? size.x : axis == 1 ? size.y : size.z;
}

/* ---- barrier.cluster: threads that ended are not missing ---- */

static bool has_arrived(const cluster *c, const worker *w, unsigned thread) {
    return w->cluster_arrival[thread] == c->phase + 1;
}

static unsigned count_missing(const cluster *c) {
    unsigned missing = 0;
    for (unsigned i = 0; i < c->size; i++) {
        const worker *w = c->blocks[i];
        if (w->state == NOT_BEGUN)
            missing += self->threads;
        for (unsigned t = 0; t < w->threads && w->state == RUNNING; t++)
            missing += !has_arrived(c, w, t) && !w->done[t];
    }
    return missing;
}

static void open_if_complete(cluster *c) {
    unsigned gone = c->arrived; /* at most: those that have arrived and ended count twice */
    for (unsigned i = 0; i < c->size; i++)
        gone += c->blocks[i]->state == ENDED     ? self->threads
                : c->blocks[i]->state == RUNNING ? c->blocks[i]->ended
                                                 : 0;
    if (gone < c->size * self->threads || count_missing(c))
        return;
    c->arrived = 0;
    c->phase++;
    note_progress(c);
}

static bool is_open(void *phase) {
    cluster *c = self->together;
    if (c->phase == *static_cast<uint64_t *>(phase))
        open_if_complete(c);
    return c->phase != *static_cast<uint64_t *>(phase);
}

static std::string describe_cluster_barrier(void *) {
    return text("the barrier of its ", self->launch->what->cooperative ? "grid" : "cluster", " (",
                count_missing(self->together), " threads have not arrived)");
}

uint32_t ptx::cluster_rank() { return self->rank; }
uint32_t ptx::cluster_size() { return self->together->size; }
uint32_t ptx::blocks_in_cluster(int axis) { return along(self->launch->cluster, axis); }
uint32_t ptx::block_in_cluster(int axis) {
    return along(dim3(self->here->block), axis) % blocks_in_cluster(axis);
}
uint32_t ptx::cluster_id(int axis) {
    return along(dim3(self->here->block), axis) / blocks_in_cluster(axis);
}
uint32_t ptx::cluster_count(int axis) {
    return along(self->here->grid_dim, axis) / blocks_in_cluster(axis);
}

void ptx::cluster_arrive(const site *where) {
    find_fiber(where);
    cluster *c = self->together;
    uint64_t *arrival = &self->cluster_arrival[cudacpu_current->thread];
    if (*arrival > c->first_phase)
        fail_thread("wrong barrier", where,
                    "a second barrier.cluster.arrive without a barrier.cluster.wait between them");
    tell(&observer::cluster_arrived);
    *arrival = c->phase + 1;
    c->arrived++;
    note_arrival(c);
    open_if_complete(c);
}

void ptx::cluster_wait(const site *where) {
    find_fiber(where);
    uint64_t *arrival = &self->cluster_arrival[cudacpu_current->thread];
    if (*arrival <= self->together->first_phase)
        fail_thread("wrong barrier", where, "barrier.cluster.wait without barrier.cluster.arrive");
    uint64_t phase = *arrival - 1;
    wait_until(is_open, &phase, where, describe_cluster_barrier);
    *arrival = 0;
    tell(&observer::cluster_waited);
}

} // namespace cudacpu
