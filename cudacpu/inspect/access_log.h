/* access_log.h - the accesses of the warp that runs, by instruction and lane.
 *
 * The threads of a warp run one after another, so each access is logged; when the warp has reached
 * a barrier or its end, the k-th accesses of its lanes by one instruction are one request. Where
 * threads also wait for less than the block (an mbarrier, a named barrier, a wgmma), other warps
 * run in between: then each warp keeps its log until the block's barrier or end. */
#ifndef CUDACPU_INSPECT_ACCESS_LOG_H
#define CUDACPU_INSPECT_ACCESS_LOG_H
#include "areas.h"
#include "counts.h"
#include "observed.h"
#include "places.h"
#include <cstdio>

namespace cudacpu::inspect {

enum memory_class { NOWHERE, GLOBAL, SHARED, SYMBOL, IGNORED };

/* Addresses that the lanes of a warp accessed. */
struct lane_logs {
    uint64_t *log[32];
    uint32_t count[32], capacity[32];
};

/* An instruction that accesses memory, as one OS thread sees it. One that accesses several kinds of
 * memory, in a function that is called for each, is several. */
struct instruction {
    uintptr_t return_address; /* of the call that the compiler made for it */
    unsigned size;
    bool write, atomic;
    memory_class what, logged; /* the memory that it accessed last; the one that it counts, NOWHERE
                                  before the first */
    instruction *other;        /* for another memory: a ring */
    uintptr_t base, bytes;     /* of the memory that it accessed last */
    area *where;
    observed_worker *owner; /* of shared memory: its block's */
    uint32_t number;        /* from 1, the same in every OS thread */
    lane_logs now;          /* of the warp that runs */
    bool logging;           /* is it in the log of the warp that runs? */
    lane_logs *kept[32];    /* of the other warps, by number; NULL: none yet */
    struct {
        intptr_t offset[32];
        unsigned lanes;
        uintptr_t start;
        traffic result;
        bool valid;
    } memo[4];
    std::vector<std::pair<area *, traffic>> counts; /* area NULL: shared, or a symbol */
    uintptr_t store; /* of a read: the store that it came after last; is that on the same line? */
    bool follows;
};

inline access_kind kind_of(const instruction *s) {
    return s->atomic ? ATOMIC_ACCESS : s->write ? STORE_ACCESS : LOAD_ACCESS;
}
/* Of one in shared memory: is that static, and not dynamic? */
inline bool is_static(const instruction *s) {
    return s->base - s->owner->tls < s->owner->tls_bytes;
}

/* A longer log is cut, and the requests are approximate. */
const uint32_t LOG_LIMIT = 1u << 22;

instruction *make_instruction(observed_worker *w, uintptr_t return_address, unsigned size,
                              bool write, bool atomic);
/* Of an instruction by its number. */
uintptr_t instruction_address(uint32_t number);
inline place place_of_instruction(uint32_t number) { return place_of(instruction_address(number)); }
bool is_atomic(uint32_t number);

/* Makes room in the lane's log; returns where the next access goes. */
uint32_t extend_log(observed_worker *w, instruction *s, unsigned lane);
inline void log_access(observed_worker *w, instruction *s, unsigned lane, uintptr_t address) {
    if (!s->logging) {
        s->logging = true;
        w->logging.push_back(s);
    }
    uint32_t k = s->now.count[lane];
    if (__builtin_expect(k == s->now.capacity[lane], 0))
        k = extend_log(w, s, lane);
    s->now.log[lane][k] = address;
    s->now.count[lane] = k + 1;
}

/* From now on this warp runs. */
void change_warp(observed_worker *w, unsigned warp);

/* Leaves in s the memory that its access of size bytes lies in. One outside of all memory, or past
 * an end, is a fault, and happens all the same, so that the kernel goes on. */
void locate(observed_worker *w, instruction *s, uintptr_t address, unsigned size);
/* s, which has just been located, or the one of its ring that counts that memory. */
instruction *find_for_memory(observed_worker *w, instruction *s);

/* CUDACPU_INSPECT_TRACE=FILE: each request of block 0, a line for each lane. Opens the file, if the
 * environment names one; ends the program where it cannot be written. */
void open_trace();

} // namespace cudacpu::inspect
#endif
