/* knowledge.h - what each thread of a cluster knows of the others: vector clocks.
 *
 * A block's own barriers need none: one clock for all threads tells what lies before the last
 * barrier. Kept once a block uses what orders some threads and not others: mbarriers, named
 * barriers, a cluster's barrier, wgmma. A clock has an entry for each thread of the cluster (the
 * thread's accesses before that clock of its worker are known), for each warp (its wgmma groups
 * below that number are known to be done) and, after those of all blocks, for each mbarrier that
 * was initialised (its phases below that number are known to be complete). */
#ifndef CUDACPU_INSPECT_KNOWLEDGE_H
#define CUDACPU_INSPECT_KNOWLEDGE_H
#include "observed.h"
#include "places.h"
#include "races.h"
#include <cstdint>
#include <map>
#include <vector>

namespace cudacpu::inspect {

enum { MOST_BLOCKS = 16, MOST_WARPS = 32 };

using vector_clock = std::vector<uint32_t>;
const size_t NO_ENTRY = SIZE_MAX; /* no entry of a vector clock */

/* The last wait of a thread that passed. */
struct mbarrier_pass {
    place at;
    uint64_t next;  /* the phase after the one that it waited for */
    bool again;     /* it had passed with that phase before, or with the one before the first */
    place waits_at; /* where it waits now, and for which phase; line 0: it does not */
    uint64_t waits_for;
};

struct mbarrier_record {
    bool valid;
    unsigned rank;   /* of its block */
    size_t entry;    /* of the vector clocks */
    unsigned thread; /* who initialised it, when and where */
    uint32_t clock;
    place initialised;
    uint64_t phase;                           /* that arrivals are for */
    vector_clock arriving, complete;          /* what is passed on in this phase; in those before */
    uint64_t expected, issued;                /* bytes: of expect_tx, of copies */
    place expects, copies;                    /* the last one */
    std::map<unsigned, mbarrier_pass> passes; /* by rank * 1024 + thread */
};

/* The last access of a thread to another block's shared memory. */
struct remote_access {
    unsigned owner, rank, thread; /* the memory's block, and who */
    uint32_t clock;
    size_t entry; /* of a bulk copy: its barrier's entry, and clock is the phase; else NO_ENTRY */
    place at;
};

/* Of the blocks of a cluster that run together; a block without a cluster is one of its own. */
struct knowledge {
    unsigned blocks, threads;             /* of a block */
    observed_worker *worker[MOST_BLOCKS]; /* by rank; NULL: has not begun */
    bool ended[MOST_BLOCKS];
    uint64_t number[MOST_BLOCKS];    /* of the block in the grid */
    std::vector<vector_clock> known; /* of each thread, by rank and number; empty: not kept yet */
    std::vector<uint64_t> phases; /* the same: of the cluster's barrier, at which it has arrived */
    struct {
        uint64_t phase;
        vector_clock passed_on;
    } cluster_barrier[2]; /* by parity */
    /* what was passed on to each named barrier of each block since it last opened */
    std::map<std::pair<unsigned, unsigned>, vector_clock> arriving;
    std::vector<remote_access> remote;
    bool active;                                          /* are its blocks observed? */
    std::map<const uint64_t *, mbarrier_record> barriers; /* by address */
    size_t barrier_count;                                 /* of those that have an entry */
    std::vector<reader_set> readers;

    size_t block_width() const { return threads + MOST_WARPS; }
    size_t thread_entry(unsigned rank, unsigned thread) const {
        return rank * block_width() + thread;
    }
    size_t warp_entry(unsigned rank, unsigned warp) const {
        return rank * block_width() + threads + warp;
    }
    size_t barrier_entry(size_t barrier) const { return blocks * block_width() + barrier; }
    vector_clock &of(unsigned rank, unsigned thread) { return known[rank * threads + thread]; }
    /* Rank of a block of this cluster by its number in the grid; -1: it is none of them. */
    int rank_of(uint64_t block) const;
};

/* Something orders some of the block's threads: from now on clocks are kept. */
void keep_knowledge(observed_worker *w);

/* Each entry becomes the larger one. */
void join(vector_clock &into, const vector_clock &from);
/* The thread passes on all that it knows, with its own accesses so far; learns what was passed. */
void release(observed_worker *w, unsigned thread, vector_clock &into);
void acquire(observed_worker *w, unsigned thread, const vector_clock &from);

/* The thread accesses shared memory of another block: a fault where that may have ended. */
void note_remote(observed_worker *w, const remote_access &r);

/* Does this thread know that the other's accesses up to clock are done? */
bool knows(const observed_worker *w, unsigned thread, uint64_t block, unsigned other,
           uint32_t clock);
/* How far it knows an entry of its vector clock; it learns that it is so far. */
uint32_t known_entry(const observed_worker *w, unsigned thread, size_t entry);
void learn_entry(observed_worker *w, unsigned thread, size_t entry, uint32_t value);

/* ---- What fences and atomic functions order: a flag, a lock, the last block to come.
 *
 * A thread that writes a word by an atomic function, or through a volatile pointer, after a
 * __threadfence() releases what it did before the fence, and what it knew. A thread that reads the
 * word in one of these ways knows it then; after a barrier its block does. Lenient: a read counts
 * for whatever is released there, also later: who spins reads often. ---- */

/* The thread that runs: a fence; it is about to write the word; it has read it. order: of the
 * compiler's atomic functions, a release among them is a fence of its own. */
void on_fence();
void before_atomic_write(const volatile void *word, int order);
void after_atomic_read(const volatile void *word);

bool has_fenced(const observed_worker *w, unsigned thread);
/* Did v happen before all that the thread does now? */
bool is_ordered_by_fences(const observed_worker *w, unsigned thread, const visit &v);

} // namespace cudacpu::inspect
#endif
