/* observed.h - the launch that runs, the OS threads that run its blocks, and which of these are
 * observed. */
#ifndef CUDACPU_INSPECT_OBSERVED_H
#define CUDACPU_INSPECT_OBSERVED_H
#include "cuda_runtime.h"
#include "runtime/host/process.h"
#include <cstdint>
#include <cstdio>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace cudacpu::inspect {

struct instruction;
struct word_history;
struct knowledge;
struct async_state;
struct register_state;
struct recorder;
struct fence_state;
struct held_writes;

/* A thread that has waited for the launch before (launch_races.cpp), and when. */
struct primary_wait {
    unsigned thread;
    uint32_t clock;
};

/* What is known of an OS thread that runs blocks, and of the block it runs. */
struct observed_worker {
    /* its block; active: is it observed, and running? */
    bool active;
    uint64_t block;
    unsigned threads, warp; /* warp: the one that runs, whose accesses are logged */
    unsigned phase;         /* barriers of the block so far */
    bool keeps_readers;     /* races.h */
    /* ticks at each barrier; and when the block and each of its warps had the last one */
    uint32_t clock, block_clock, warp_clock[32];
    /* the block's memory: stacks; dynamic shared memory; all that this may lie in, guards included;
     * static shared memory, which is thread-local */
    const char *stacks, *dynamic;
    size_t stacks_bytes, dynamic_bytes;
    uintptr_t shared_area, shared_area_bytes;
    uintptr_t tls, tls_bytes;
    /* access_log.h: the instructions, by their address in the program's text; all, those that are
     * in the log of the warp that runs, and those in the others' logs */
    instruction **by_address;
    std::vector<instruction *> instructions, logging, kept[32];
    /* races.h: words of shared memory; shared_block: in which of its blocks a word was last used */
    word_history *shared_history;
    uint8_t *shared_state;
    uint32_t *shared_block;
    unsigned short order[1024]; /* of its threads */
    uint64_t random;
    /* counts of the launch, but for traffic; executed: of basic blocks, by address as above, and
     * those that are not 0 */
    uint64_t *executed, barriers;
    std::vector<uint32_t> executed_at;
    uint64_t bulk_load_bytes, bulk_store_bytes, operand_bytes; /* of wgmma */
    uint64_t blocks;                                           /* of all launches */
    /* knowledge.h: of the cluster that the block is of, its rank there, the cluster's number */
    knowledge *knows;
    unsigned rank;
    uint64_t cluster;
    std::vector<primary_wait> primary_waits;
    async_state *async;        /* async_operations.h */
    register_state *registers; /* wgmma.h; NULL before the first wgmma */
    long local_arrays;         /* that have red zones now (stack.h) */
    bool *red_zones;
    const char **array_names;
    recorder *records;   /* recording.h; NULL: the block is not recorded */
    fence_state *fences; /* fences.cpp; NULL: the block has none */
    held_writes *writes; /* excuses.h; NULL: none */
    /* of the access that is observed now: through a volatile pointer; an atomicCAS; one that
     * wrote nothing; bytes of the structure that is copied whole, or 0 */
    bool is_volatile, is_exchange, has_failed;
    size_t range;
    /* excuses.h: the first and the last word of a write that may not be done yet; 0: none */
    uintptr_t first_stored, last_stored;
    bool is_announced; /* was the access before it a write? */
    /* access.h: the access before it, where that was a store */
    struct {
        uintptr_t instruction, address; /* 0: it was none */
        unsigned size, thread, phase;
        bool is_single; /* and no part of a structure */
    } stored;
};

/* NULL in an OS thread that never ran a block. Found without a call, as each access needs it. */
#define CUDACPU_NEAR_THREAD __thread __attribute__((tls_model("initial-exec")))
extern CUDACPU_NEAR_THREAD observed_worker *this_worker;
/* It, if its block is observed; else NULL. */
inline observed_worker *observed() {
    return this_worker && this_worker->active ? this_worker : nullptr;
}
std::vector<observed_worker *> workers(); /* as of now: another OS thread may add one */
/* The one that runs this block, observed; NULL: it has ended. */
observed_worker *find_worker(uint64_t block);

struct observed_launch {
    const cudacpu::kernel *kernel; /* NULL between launches */
    dim3 grid, block;
    int device;
    uint64_t number; /* the first is 1 */
    uint64_t blocks() const { return (uint64_t)grid.x * grid.y * grid.z; }
};
extern observed_launch running_launch;

/* "" between launches. */
const char *kernel_name();
/* "(x,y)", or "(x,y,z)" where z is not 0, of a block by its number in the grid. */
std::string block_name(uint64_t number);
/* The same of a thread by its number in its block. */
std::string thread_name(unsigned number);

/* The number, in its block, of the thread that runs now. */
inline unsigned thread_number() {
    const coordinates &at = here();
    return at.thread.x + at.block_dim.x * (at.thread.y + at.block_dim.y * at.thread.z);
}

/* Are the blocks of this cluster observed, if it begins now? A block without a cluster is one. */
bool is_sampled(uint64_t cluster);
/* Has no block of the launch ended yet? */
bool is_first_block();
/* The launch ends: its blocks by those that were observed; 1: all were. */
double sampled_scale();

/* Zeros that take memory only where they are touched; for munmap. Ends the program where there is
 * no room. */
template <class T> T *make_zeroed(size_t count) {
    void *p = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "inspect: no memory to observe %zu words\n", count);
        end_process(1);
    }
    return static_cast<T *>(p);
}

} // namespace cudacpu::inspect
#endif
