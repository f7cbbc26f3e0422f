/* worker.h - a worker: an OS thread that runs blocks, with the stacks of their threads. */
#ifndef CUDACPU_RUNTIME_WORKER_H
#define CUDACPU_RUNTIME_WORKER_H
#include "cudacpu/fiber.h"
#include "cudacpu/launch.h"
#include "cudacpu/shared_memory.h"
#include "cudacpu/warp.h"
#include <atomic>
#include <deque>
#include <string>

namespace cudacpu {

const unsigned MAX_THREADS = 1024; /* of a block */
/* The most that a block's dynamic shared memory takes, and the closed pages on either side. */
const size_t SHARED = 256 * 1024, SHARED_GUARD = 64 * 1024;

/* One grid, which the workers share. */
struct launch_state {
    const kernel *what;
    dim3 grid, block;
    size_t shared_bytes;
    const char *file;
    int line;
    uint64_t blocks;
    std::atomic<uint64_t> next;
    std::atomic<bool> failed, warned;
    cudaError_t error;
    bool checking; /* look for damage after each step of each thread */
};

/* A warp function that a thread waits in. */
struct warp_call {
    bool waits;
    unsigned mask;
    uint64_t value, result;
    int source;
    warp_operation operation;
};

/* What a thread waits for; ready is NULL when it does not. */
struct condition {
    bool (*ready)(void *);
    void *argument;
    std::string (*describe)(void *);
};
struct effect {
    void (*perform)(void *), (*forget)(void *);
    void *argument;
};

struct worker {
    fiber main; /* what the last thread of a round jumps to: the OS thread's own stack */
    launch_state *launch;
    coordinates *here;
    fiber fibers[MAX_THREADS];
    unsigned made; /* fibers that have a stack with a context in it */
    unsigned threads, started, ended, warp_waiting, condition_waiting;
    uint3 next_index;
    /* the threads that have begun and not ended, while all of them wait */
    fiber *waiting[MAX_THREADS];
    fiber *awake[MAX_THREADS]; /* those that need not wait for their warp any longer */
    unsigned awake_count;
    fiber *by_thread[MAX_THREADS];
    bool done[MAX_THREADS];
    warp_call calls[MAX_THREADS];
    condition conditions[MAX_THREADS];
    std::deque<effect> effects;
    int accumulated[2], result[2]; /* count of true, of all */
    unsigned early;                /* a thread that ended, for the warning */
    bool aborted;
    char *stacks, *shared_end;
    bool guarded;
    const unsigned short *order; /* the observer's order of the threads, or NULL */
};

extern CUDACPU_THREAD worker *self; /* NULL in an OS thread that never ran a block */

void make_worker(); /* self; ends the program where there is no memory for it */
/* The worker's fiber i, the next one that was not made yet or any before; a new one begins in
 * entry. */
fiber *get_fiber(worker *w, unsigned i, void (*entry)());
size_t stacks_bytes(); /* of all of a worker's stacks with their guards */
/* Is address just below a stack of this worker? */
bool in_stack_guard(const void *address);

} // namespace cudacpu
#endif
