/* cluster.h - the blocks of a cluster: an OS thread each, of which one runs at a time, until its
 * block's threads all wait. So nothing in a cluster needs a lock, and the order is always the same.
 * And its pending completions: what asynchronous instructions have started, and is still to come.
 */
#ifndef CUDACPU_RUNTIME_CLUSTER_H
#define CUDACPU_RUNTIME_CLUSTER_H
#include "worker.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace cudacpu {

/* A pending completion. perform is called once: when no thread of the cluster can go on otherwise,
 * oldest first, by the OS thread of any of its blocks, on no fiber. What is left when the cluster's
 * last block has ended, or the launch fails, is forgotten, unless it comes in any case. */
struct completion {
    std::function<void()> perform;
    bool comes_in_any_case;
};
void add_completion(std::function<void()> perform, bool comes_in_any_case = false);

const unsigned MAX_CLUSTER = 8;       /* blocks; more are not portable */
const unsigned MAX_COOPERATIVE = 256; /* blocks that wait for each other by grid.sync() */

struct cluster {
    launch_state *launch;
    uint64_t number; /* in the grid */
    unsigned size;
    worker *blocks[MAX_COOPERATIVE]; /* by rank; [0] leads: it draws the clusters */
    bool aborted, awaits_primary;    /* grid.cpp: a completion will wait for it */
    /* Whose turn it is; cluster.cpp and the functions below change these alone. Whenever a block
     * whose threads all wait asks for another one (wait_for_others):
     *   running     == its rank: no other one runs
     *   unfinished  == blocks that have not ended
     *   idle        < unfinished: so many in a row could do nothing; when all could, the oldest
     *               pending completion comes, or those that spin ask again, or it is a deadlock
     *   turn        counts whatever lets threads that spin ask again, idle_turns those in a row
     *               without progress, and idle_since is when they began, idle_processor the
     *               processor time of the process then */
    unsigned running, unfinished, idle, idle_turns;
    uint64_t turn, idle_since, idle_processor;
    uint64_t helped; /* when there was the last more OS thread */
    std::deque<completion> completions;
    /* barrier.cluster: threads that have arrived in this phase; phases are counted over all
     * clusters, first_phase is this one's */
    unsigned arrived;
    uint64_t phase, first_phase;
    std::mutex lock; /* of running */
    std::condition_variable turns[MAX_COOPERATIVE];
    unsigned made; /* OS threads, the leader's included */
    pid_t process;
    std::vector<std::thread> *crew; /* the others; of a process before a fork it is left alone */
    bool ends;                      /* they end when it is their turn */
};

/* Runs the blocks of cluster `number` of the launch; the worker is its leader. */
void run_cluster(worker *leader, launch_state *l, uint64_t number);
/* Its leader's OS thread ends. */
void end_cluster(cluster *c);
/* No thread of this block can go on: another block does, or a completion comes. False: neither is
 * there, or the launch has failed; the block ends. */
bool wait_for_others(worker *w);
/* Something has happened that lets threads of any block go on. */
inline void note_progress(cluster *c) {
    c->idle = c->idle_turns = 0;
    c->turn++;
}
/* A thread has arrived somewhere: that is progress for those that spin. */
inline void note_arrival(cluster *c) { c->idle_turns = 0; }
uint3 find_block(const launch_state *l, uint64_t cluster, unsigned rank);

} // namespace cudacpu
#endif
