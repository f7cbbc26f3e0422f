/* worker.h - a worker: an OS thread that runs blocks, with the fibers (stacks) of their threads,
 * and the scheduler's state: which of them waits for what. */
#ifndef CUDACPU_RUNTIME_WORKER_H
#define CUDACPU_RUNTIME_WORKER_H
#include "cudacpu/fiber.h"
#include "cudacpu/launch.h"
#include "cudacpu/meeting.h"
#include "cudacpu/shared_memory.h"
#include "cudacpu/warp.h"
#include <atomic>
#include <memory>
#include <string>

namespace cudacpu {

struct cluster;
struct worker;
struct early_launch;

const unsigned MAX_THREADS = 1024; /* of a block */
/* The most that a block's dynamic shared memory takes, and the closed pages on either side. */
const size_t SHARED = 256 * 1024, SHARED_GUARD = 64 * 1024;

/* One grid, which the workers share. Blocks are drawn in clusters, of one block where the kernel
 * says nothing else. */
struct launch_state {
    const kernel *what;
    int device;
    dim3 grid, block, cluster;
    size_t shared_bytes;
    size_t first_static; /* where the kernel's own begin, in the program's thread-local storage */
    const char *file;
    int line;
    uint64_t clusters;
    std::atomic<uint64_t> next{0};
    std::atomic<unsigned> active{0}; /* OS threads that run its blocks */
    /* of one that begins early: the cluster that runs first; then come the last ones */
    uint64_t first = 0;
    std::atomic<bool> failed{false}, warned{false};
    cudaError_t error = cudaSuccess;
    bool checking = false;  /* look for damage after each step of each thread */
    uint64_t number = 0;    /* of all launches */
    uint64_t operation = 0; /* the number of its operation in a stream; 0: it is done at once */
    /* grid.h: may the next one begin before this one ends; blocks for which it may; the
     * next one when it has begun; and this one where it has begun early */
    bool may_overlap = false;
    std::atomic<uint64_t> triggered{0};
    early_launch *dependent = nullptr, *early = nullptr;
};

/* What a thread waits for; describe is NULL while it does not. */
struct condition {
    bool (*ready)(void *);
    void *argument;
    std::string (*describe)(void *);
};

/* A warp function that a thread waits in. */
struct warp_call {
    bool waits, undefined; /* a shuffle whose result is */
    unsigned mask;
    uint64_t value, result;
    int source;
    warp_operation operation;
    uint64_t round; /* the worker's in which it got its result */
};

enum block_state { NOT_BEGUN, RUNNING, ENDED };

/* threadIdx and the thread's number in its block, in one register: a load of all waits long for
 * stores of its parts. */
typedef unsigned thread_place __attribute__((vector_size(16), may_alias));

/* What a layer above keeps of the worker's block (barriers/barriers.h): it is told when that ends.
 */
struct block_records {
    virtual void end_block(worker *w) = 0;
    virtual ~block_records() {}
};

/* Who is where, of the threads of a block. block.cpp owns these fields: it alone changes them, and
 * others tell it of a change by begin_warp_call() and its kin (block.h).
 *
 * A thread has not started, or has ended (done), or runs, or waits: in a warp function, for a
 * condition, in a meeting, or, if for none of these, at the block's barrier; or it has been woken
 * and will run (awake). Whenever no thread runs, and all have started (go_on):
 *
 *   waiting    holds each thread that has not ended once: waiting_count + ended == threads
 *   ended      == threads that are done
 *   in_warp    == threads whose call waits
 *   blocked    == threads with a condition + meetings that are open, however many wait in one
 *   spinning   == those with a condition that only let others run; sleeping: those of them that
 *                 poll memory
 *   awake      holds threads of waiting, each once, that wait for nothing
 *   linked     the first so many of waiting run one after the other: each one's next is the one
 *                 after it, and the last one's is main
 *
 * The other waiting ones are at the barrier, which opens when there are no others: in_warp, blocked
 * and awake_count are 0. check_threads() asserts this in the tests' build (CUDACPU_ASSERTS). */
struct thread_states {
    unsigned threads, ended, in_warp, blocked, spinning, sleeping;
    thread_place next; /* to start; its number is also how many have been started */
    fiber *waiting[MAX_THREADS];
    unsigned waiting_count, linked;
    fiber *lists[2][MAX_THREADS]; /* of these one is awake, the other runs */
    fiber **awake;
    unsigned awake_count;
    fiber *by_thread[MAX_THREADS];
    bool done[MAX_THREADS];
    warp_call calls[MAX_THREADS];
    condition conditions[MAX_THREADS];
    meeting warpgroups[MAX_THREADS / 128]; /* those of a warp are in its tile (cudacpu/meeting.h) */
    unsigned early;                        /* a thread that ended, for the warning */
    uint64_t round;       /* counts the times that threads are put in order to go on */
    uint64_t chained[32]; /* the last one in which a warp was put in order after a meeting */
    uint64_t turn;        /* of the cluster's, the last that its spinning threads had */
};

struct worker : block_places, thread_states {
    fiber main; /* what the last thread of a round jumps to: the OS thread's own stack */
    launch_state *launch;
    coordinates *here;
    fiber fibers[MAX_THREADS];
    unsigned made; /* fibers that have a stack with a context in it */
    std::unique_ptr<block_records> records;
    int accumulated[2], result[2]; /* count of true, of all */
    bool aborted;
    bool triggered; /* for this block the next launch may begin */
    cluster *together;
    unsigned rank; /* in it */
    block_state state;
    /* 1 + the phase of the cluster's barrier that a thread has arrived at and not waited for */
    uint64_t cluster_arrival[MAX_THREADS];
    char *stacks, *shared_end; /* of all dynamic shared memory that there is */
    char *statics; /* the program's thread-local storage of this OS thread: static shared memory */
    size_t statics_bytes;
    bool guarded;
    void *signal_stack;
    const unsigned short *order;          /* the observer's order of the threads, or NULL */
    uint64_t blocks_begun;                /* of all launches */
    uint64_t polled_block;                /* the last of them in which a thread polled for long */
    void (*thread_ends)(unsigned thread); /* where instructions want to know it, else NULL */
};

extern CUDACPU_THREAD worker *self; /* NULL in an OS thread that never ran a block */

/* self; ends the program where there is no memory for it. It is freed when the OS thread ends. */
void make_worker();
/* The worker's fiber i, the next one that was not made yet or any before; a new one begins in
 * entry. */
fiber *get_fiber(worker *w, unsigned i, void (*entry)());
size_t stacks_bytes(); /* of all of a worker's stacks with their guards */
/* Is address just below a stack of this worker? */
bool in_stack_guard(const void *address);

} // namespace cudacpu
#endif
