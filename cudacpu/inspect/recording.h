/* recording.h - what the warps of a block do, step by step, for the page of --html.
 *
 * Each thread's accesses and events are kept in its own order; when the block has reached a barrier
 * or its end, they become steps of its warps: the k-th accesses of the lanes by one instruction are
 * one step, as they are one request. Where lanes diverge, what stands first in the source comes
 * first. */
#ifndef CUDACPU_INSPECT_RECORDING_H
#define CUDACPU_INSPECT_RECORDING_H
#include "access_log.h"
#include "places.h"
#include <array>
#include <map>
#include <tuple>

namespace cudacpu::inspect {

enum step_kind {
    STEP_LOAD,
    STEP_STORE,
    STEP_ATOMIC,
    STEP_COPY_READS, /* cp.async: what it reads, and where it writes; then its groups */
    STEP_COPY_WRITES,
    STEP_COMMIT,
    STEP_WAIT,
    STEP_BULK_LOAD,
    STEP_BULK_STORE,
    STEP_BULK_COMMIT,
    STEP_BULK_WAIT,
    STEP_BARRIER, /* of the block */
    STEP_NAMED_BARRIER,
    STEP_CLUSTER_ARRIVE,
    STEP_CLUSTER_WAIT,
    STEP_MBARRIER_INIT,
    STEP_ARRIVE, /* at an mbarrier */
    STEP_EXPECT,
    STEP_PASS,
    STEP_PROXY_FENCE,
    STEP_WGMMA,
    STEP_WGMMA_COMMIT,
    STEP_WGMMA_WAIT,
    STEP_FAULT
};

/* What the steps at one place of the program have in common. */
struct step_place {
    step_kind kind;
    place at; /* line 0: not known; that of the step before */
    memory_class what;
    unsigned size; /* of a lane's access, in bytes */
};

/* The lanes of a step, and where each accesses memory, from the first lane's address. */
using lane_pattern = std::pair<uint32_t, std::vector<int64_t>>;

/* Memory that steps access. Offsets in shared memory are those of the trace (access_log.h). */
struct recorded_memory {
    std::string name;
    memory_class what;
    uintptr_t base;
    size_t bytes, pitch, width, before;
    unsigned element;        /* bytes of the smallest access, 4 at most */
    int64_t lowest, highest; /* offsets that were accessed; highest -1: none */
};

struct recorded_step {
    uint32_t place, pattern, memory; /* memory UINT32_MAX: none */
    int64_t offset;                  /* of the first lane */
    uint32_t cost, extra;            /* sectors and lines, or wavefronts and conflicts */
    uint32_t moment;                 /* within the block: the order in which warps ran here */
    std::array<int64_t, 5> numbers;  /* of an event: see record_event */
    std::string text;                /* of a fault: the first lane's sentence */
};

struct recording {
    std::string kernel;
    uint64_t launch, block;
    dim3 grid, dimensions;
    unsigned warps;
    bool faulty;
    std::vector<step_place> places;
    std::vector<lane_pattern> patterns;
    std::vector<recorded_memory> memories;
    std::vector<recorded_step> steps[32];
    bool cut[32]; /* are later steps of the warp missing? */
};

/* The block that a worker runs, while it is recorded. */
struct recorder;

/* From now on blocks are recorded. Kept are block (0,0) of each kernel's first launch, and the
 * first blocks with a fault. */
void start_recording();
inline bool is_recording;
const std::vector<recording *> &kept_recordings();

/* The observer of the page sees blocks, barriers, fences and groups itself. What it is told else:
 * of the thread that runs: it accesses memory; something happens at a place (NULL: where it did
 * what it did before), with memory or NULL; a fault, address 0: of no memory. An event's numbers:
 * WAIT, BULK_WAIT, WGMMA_WAIT: how many groups may still be on their way, and is it for all?
 * BULK_LOAD, BULK_STORE: bytes; number and offset of the other memory; of a load, its barrier's
 *     address and phase
 * ARRIVE, PASS: the phase. EXPECT: bytes. NAMED_BARRIER: its number. WGMMA: its columns. */
void record_access(observed_worker *w, const instruction *s, unsigned thread, uintptr_t address);
using event_numbers = std::array<int64_t, 5>;
void record_event(step_kind kind, const site *where, const void *memory = nullptr,
                  const event_numbers &numbers = {});
void record_step_fault(observed_worker *w, const char *kind, const place &at, uintptr_t address,
                       const std::string &message);
/* A bulk copy; barrier: of a load, else NULL. */
void record_bulk_copy(step_kind kind, const site *where, const void *shared, const void *other,
                      unsigned bytes, const uint64_t *barrier, uint64_t phase);
/* What the thread that runs accesses from now on is that of an asynchronous copy, or not. */
void record_as_copy(observed_worker *w, bool copy);

} // namespace cudacpu::inspect
#endif
