/* cluster_functions.cpp - what a kernel asks of its cluster: where it is, and barrier.cluster. */
#include "cudacpu/ptx.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/cluster.h"
#include "runtime/scheduler/faults.h"

namespace cudacpu {
namespace {

unsigned along(const dim3 &size, int axis) {
    return axis == 0 ? size.x : axis == 1 ? size.y : size.z;
}

/* ---- barrier.cluster: threads that ended are not missing ---- */

bool has_arrived(const cluster *c, const worker *w, unsigned thread) {
    return w->cluster_arrival[thread] == c->phase + 1;
}

unsigned count_missing(const cluster *c) {
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

void open_if_complete(cluster *c) {
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

bool is_open(void *phase) {
    cluster *c = self->together;
    if (c->phase == *static_cast<uint64_t *>(phase))
        open_if_complete(c);
    return c->phase != *static_cast<uint64_t *>(phase);
}

std::string describe_cluster_barrier(void *) {
    return std::string("the barrier of its ") +
           (self->launch->what->cooperative ? "grid" : "cluster") + " (" +
           std::to_string(count_missing(self->together)) + " threads have not arrived)";
}

} // namespace

namespace ptx {

uint32_t cluster_rank() { return self->rank; }
uint32_t cluster_size() { return self->together->size; }
uint32_t blocks_in_cluster(int axis) { return along(self->launch->cluster, axis); }
uint32_t block_in_cluster(int axis) {
    return along(dim3(self->here->block), axis) % blocks_in_cluster(axis);
}
uint32_t cluster_id(int axis) {
    return along(dim3(self->here->block), axis) / blocks_in_cluster(axis);
}
uint32_t cluster_count(int axis) {
    return along(self->here->grid_dim, axis) / blocks_in_cluster(axis);
}

void cluster_arrive(const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    cluster *c = self->together;
    uint64_t *arrival = &self->cluster_arrival[cudacpu_current->thread];
    if (*arrival > c->first_phase)
        fail_thread("wrong barrier", where,
                    "a second barrier.cluster.arrive without a barrier.cluster.wait between them");
    if (observing)
        observing->cluster_arrived();
    *arrival = c->phase + 1;
    c->arrived++;
    note_arrival(c);
    open_if_complete(c);
}

void cluster_wait(const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    uint64_t *arrival = &self->cluster_arrival[cudacpu_current->thread];
    if (*arrival <= self->together->first_phase)
        fail_thread("wrong barrier", where, "barrier.cluster.wait without barrier.cluster.arrive");
    uint64_t phase = *arrival - 1;
    wait_until(is_open, &phase, where, describe_cluster_barrier);
    *arrival = 0;
    if (observing)
        observing->cluster_waited();
}

} // namespace ptx
} // namespace cudacpu
