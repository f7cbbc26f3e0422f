/* async_operations.h - a block's asynchronous operations: who issued them, and who knows that they
 * are done. Whether they are already done here, early or late, does not matter. */
#ifndef CUDACPU_INSPECT_ASYNC_OPERATIONS_H
#define CUDACPU_INSPECT_ASYNC_OPERATIONS_H
#include "cudacpu/site.h"
#include "knowledge.h"
#include "observed.h"
#include <deque>

namespace cudacpu::inspect {

/* COPY: writes of a thread's cp.async, until it waits for their group. STORED, SOURCE: what a bulk
 * store writes and reads, until its thread waits for its group. LOAD: what a bulk copy writes,
 * until the phase of its mbarrier. OPERANDS: what wgmma reads, until the warps wait for its group.
 */
enum async_kind { COPY, STORED, SOURCE, GROUPED_KINDS, LOAD = GROUPED_KINDS, OPERANDS };

struct async_operation {
    async_kind kind;
    unsigned thread;
    uint32_t done; /* COPY, STORED, SOURCE: the clock at which its thread had waited; 0: not yet */
    size_t entry;  /* LOAD, and a COPY that tells an mbarrier: the barrier's entry; else NO_ENTRY */
    uint32_t phase; /* of that barrier; of OPERANDS: the group, and thread is the first of four
                       warps */
};

/* The operations of one thread that it has not waited for, in groups, of which the last is open. */
struct async_groups {
    std::deque<std::vector<uint32_t>> groups{1};
    bool sealed = true;    /* the next one begins a new operation */
    site waited = {"", 0}; /* where it last waited, and for all groups but how many */
    size_t waited_newest = 0;
};

struct async_state {
    std::vector<async_operation> operations;         /* of the block that runs */
    std::vector<async_groups> groups[GROUPED_KINDS]; /* by thread */
    uint32_t proxy_fence[1024], init_fence[1024];    /* clock of each thread's last fence */
    uint32_t wgmma_groups[1024];                     /* that each thread has committed */
    struct {
        uint32_t operation, group;
    } operands[8]; /* of each warpgroup's last group */
};

/* Adds an operation of a thread; its number. */
uint32_t add_operation(observed_worker *w, const async_operation &o);
/* The operation of a block of w's cluster; NULL: of another cluster. */
async_operation *find_operation(const observed_worker *w, uint64_t block, uint32_t number);
/* Does this thread of w's block know that it is done? */
bool is_done(const observed_worker *w, unsigned thread, uint64_t block, const async_operation &o);
/* What the thread would have to wait for, for a fault's sentence. */
std::string describe_wait(const observed_worker *w, uint64_t block, const async_operation &o);

/* ---- mbarriers order threads, and are themselves used wrongly (mbarriers.cpp) ---- */

/* A copy or the thread that runs uses the barrier: NULL where nobody has initialised it or nobody
 * observes, else its record; a fault where the initialisation is not ordered before. */
mbarrier_record *use_barrier(const uint64_t *barrier, const site *where);
/* The thread that runs, or its copies, arrive at the barrier. */
void note_arrival(const uint64_t *barrier, uint64_t phase, const site *where);
/* A copy counts its bytes in this block's barrier, in the async proxy. */
void check_fenced(const observed_worker *w, const mbarrier_record &b, const site *where);
/* The thread reads what the bulk copy brings without having waited for it: a fault where its last
 * wait for that barrier passed at once, for a phase before. other: the copy. */
void record_wrong_parity(observed_worker *w, unsigned thread, const async_operation &o,
                         const std::string &other);
/* A thread reads what a copy counted by a later phase than the last one that it waited for has
 * brought: has that overwritten what the thread was to read? */
bool was_overwritten(const observed_worker *w, unsigned thread, const async_operation &o);

} // namespace cudacpu::inspect
#endif
