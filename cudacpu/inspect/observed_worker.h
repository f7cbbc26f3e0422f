/* observed_worker.h - what is known of one OS thread that runs blocks, and of the block it runs. */
#ifndef CUDACPU_INSPECT_OBSERVED_WORKER_H
#define CUDACPU_INSPECT_OBSERVED_WORKER_H
#include "cuda_runtime.h"
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

/* A thread that has waited for the launch before (launch_races.h), and when. */
struct primary_wait {
    unsigned thread;
    uint32_t clock;
};

struct observed_worker {
    /* its block; active: is it observed, and running? */
    bool active;
    uint64_t block;
    unsigned threads, warp; /* warp: the one that runs, whose accesses are logged */
    unsigned phase;         /* barriers of the block so far */
    bool keeps_readers;     /* readers.h */
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
    /* thread_order.cpp */
    unsigned short order[1024];
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
    register_state *registers; /* registers.h; NULL before the first wgmma */
    long local_arrays;         /* that have red zones now (local_arrays.h) */
    bool *red_zones;
    const char **array_names;
    recorder *records;   /* recording.h; NULL: nothing is recorded */
    fence_state *fences; /* fences.h; NULL: the block has none */
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
void make_this_worker();
void end_this_worker(); /* the OS thread ends; another one's will be the same */
/* It, if its block is observed; else NULL. */
inline observed_worker *observed() {
    return this_worker && this_worker->active ? this_worker : nullptr;
}
std::vector<observed_worker *> workers(); /* as of now: another OS thread may add one */
/* The one that runs this block, observed; NULL: it has ended. */
observed_worker *find_worker(uint64_t block);

} // namespace cudacpu::inspect
#endif
