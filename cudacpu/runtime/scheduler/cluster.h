/* cluster.h - the blocks of a cluster: an OS thread each, of which one runs at a time, until its
 * block's threads all wait. So nothing in a cluster needs a lock, and the order is always the same.
 */
#ifndef CUDACPU_RUNTIME_CLUSTER_H
#define CUDACPU_RUNTIME_CLUSTER_H
#include "effects.h"
#include "worker.h"
#include <condition_variable>
#include <deque>
#include <mutex>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace cudacpu {

const unsigned MAX_CLUSTER = 8;       /* blocks; more are not portable */
const unsigned MAX_COOPERATIVE = 256; /* blocks that wait for each other by grid.sync() */

struct cluster {
    launch_state *launch;
    uint64_t number; /* in the grid */
    unsigned size;
    worker *blocks[MAX_COOPERATIVE]; /* by rank; [0] leads: it draws the clusters */
    bool aborted, awaits_primary;    /* dependent_launch.cpp: an effect will wait for it */
    /* Blocks that have not ended; how many of them in a row could do nothing. turn counts whatever
     * lets the threads that spin ask again, vain_turns those since something happened. */
    unsigned unfinished, idle, vain_turns;
    uint64_t turn;
    uint64_t vain_since, helped; /* sleep.cpp */
    std::deque<effect> effects;
    /* barrier.cluster: threads that have arrived in this phase; phases are counted over all
     * clusters, first_phase is this one's */
    unsigned arrived;
    uint64_t phase, first_phase;
    /* who runs */
    std::mutex lock;
    std::condition_variable turns[MAX_COOPERATIVE];
    unsigned running, made; /* made: OS threads, the leader's included */
    pid_t process;
    std::vector<std::thread> *crew; /* the others; of a process before a fork it is left alone */
    bool ends;                      /* they end when it is their turn */
};

/* Runs the blocks of cluster `number` of the launch; the worker is its leader. */
void run_cluster(worker *leader, launch_state *l, uint64_t number);
/* Its leader's OS thread ends. */
void end_cluster(cluster *c);
/* No thread of this block can go on: another block does, or an effect happens. False: neither is
 * there, or the launch has failed; the block ends. */
bool wait_for_others(worker *w);
/* Something has happened that lets threads of any block go on. */
inline void note_progress(cluster *c) {
    c->idle = c->vain_turns = 0;
    c->turn++;
}
uint3 find_block(const launch_state *l, uint64_t cluster, unsigned rank);

} // namespace cudacpu
#endif
