/* cluster.cpp - takes turns among the blocks of a cluster. */
#include "cluster.h"
#include "block.h"
#include "deadlock.h"
#include "faults.h"
#include "shared_window.h"
#include "sleep.h"
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace cudacpu {
namespace {

/* Turns in which threads only spun; to take one among several OS threads is slow. */
unsigned most_vain_turns(const cluster *c) { return c->size == 1 ? 1000000 : 10000; }

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

bool any_spins(const cluster *c) {
    for (unsigned i = 0; i < c->size; i++)
        if (c->blocks[i]->state == RUNNING && c->blocks[i]->spinning)
            return true;
    return false;
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
            fprintf(stderr, "cudacpu: no OS thread for a block of a cluster\n");
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
    c->idle = c->vain_turns = c->arrived = 0;
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
    forget_effects();
}

bool wait_for_others(worker *w) {
    cluster *c = w->together;
    if (++c->idle < c->unfinished) {
        give_turn(c, find_next(c, w->rank));
        wait_for_turn(c, w->rank);
        w->aborted = c->aborted || c->launch->failed;
        return !w->aborted;
    }
    c->idle = 0;
    if (perform_effect()) {
        note_progress(c);
    } else if (any_sleeps(c) ? let_blocks_run(c)
                             : any_spins(c) && ++c->vain_turns < most_vain_turns(c)) {
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
