/* segment.h - what the ranks of a communicator share, in memory that each of their processes
 * maps: who is there, and what each has called. The unique id says where it is: a file without a
 * name, of the process that made the id. */
#ifndef CUDACPU_RUNTIME_NCCL_SEGMENT_H
#define CUDACPU_RUNTIME_NCCL_SEGMENT_H
#include "nccl.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <sys/types.h>

namespace cudacpu {

enum call_kind { BROADCAST, ALL_GATHER, REDUCE, ALL_REDUCE, REDUCE_SCATTER, SEND, RECEIVE };

/* A call is posted when the program makes it, has arrived when what stands before it in its stream
 * is done (what it sends lies ready then), and is complete when its rank has what it receives. */
enum call_state { NOT_CALLED, POSTED, ARRIVED, COMPLETE };

/* Another rank waits for a call to arrive, or to complete. */
enum call_demand { NO_DEMAND, TO_ARRIVE, TO_COMPLETE };

/* What the program says of a call. */
struct call_words {
    call_kind kind;
    size_t count; /* elements */
    ncclDataType_t type;
    int root; /* or the peer */
    ncclRedOp_t op = ncclSum;
    bool in_group = false;
};

struct shared_call : call_words {
    uint64_t number;    /* of the rank's calls, from 1 */
    uint64_t match;     /* of its collectives, or of those of its kind with this peer, from 1 */
    uint64_t caller;    /* in the program's text */
    pid_t thread;       /* that called it */
    uint64_t bytes;     /* that it sends: */
    const char *data;   /* in its process, */
    int file;           /* or that file of its process; -1: none */
    const void *memory; /* which the program sends */
    std::atomic<int>
        users; /* ranks that have still to take what it sends, or to see that it came */
    std::atomic<int> state, demand;
};

/* WAITING: its OS thread waits in a call of CUDA or NCCL, and has nothing to do meanwhile. */
enum rank_state { ABSENT, RUNNING, WAITING, LEFT };

struct shared_rank {
    std::atomic<int> state, busy; /* busy: does operations for the others */
    pid_t process;
    int device;
    std::atomic<pid_t> thread;       /* that made the last call; 0: not known */
    std::atomic<uint64_t> waits_for; /* the number of its call, while WAITING */
    std::atomic<uint64_t> group;     /* caller of an open ncclGroupStart, 0: none */
    std::atomic<uint64_t> posted;    /* calls */
    std::atomic<uint64_t> looked;    /* how often it found nothing to do, while WAITING */
    enum { RING = 256 };
    shared_call calls[RING];
    shared_call &call(uint64_t number) { return calls[(number - 1) % RING]; }
    const shared_call &call(uint64_t number) const { return calls[(number - 1) % RING]; }
};

struct nccl_segment {
    enum { MOST_RANKS = 64 };
    uint64_t secret;
    std::atomic<int> ranks; /* 0: nobody has said */
    std::atomic<int> failed;
    std::atomic<uint64_t> progress; /* changes whenever something happens, */
    std::atomic<uint64_t> alive;    /* and while a process is busy */
    uint64_t program;               /* size of the program's file: places are told of equal ones */
    shared_rank rank[MOST_RANKS];
};

/* Bytes of this program's file. */
uint64_t program_bytes();

bool make_id(ncclUniqueId *id);
/* NULL: *why says what is wrong. */
nccl_segment *find_segment(const ncclUniqueId &id, std::string *why);

/* What a call sends, for other processes to read: the file is closed by forget_data. */
char *make_data(shared_call *c, bool for_processes);
void forget_data(shared_call *c);
/* Of a call of another rank, mapped as long as it is held. NULL: it cannot be read. */
std::shared_ptr<const char> read_data(const shared_call &c, pid_t process);

} // namespace cudacpu
#endif
