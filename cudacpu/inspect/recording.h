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

/* What the steps at one place of the program have in common. */
struct step_place {
    /* of an access "load", "store", "atomic", or of cp.async "copy reads", "copy writes"; of an
     * event its name in the page (html_report/sentences.js) */
    const char *kind;
    place at; /* line 0: not known; that of the step before */
    memory_class what;
    unsigned size;      /* of a lane's access, in bytes; 0: an event */
    access_kind access; /* of an access */
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

/* Are blocks recorded? Kept are block (0,0) of each kernel's first launch, and the first blocks
 * with a fault. */
inline bool is_recording;
const std::vector<recording *> &kept_recordings();

/* Of the thread that runs: it accesses memory; something happens at a place (NULL: where it did
 * what it did before), with memory or NULL; a fault, address 0: of no memory. An event's numbers:
 * of waits: how many groups may still be on their way, and is it for all?
 * of bulk copies: bytes; number and offset of the other memory; of a load, its barrier's address
 * and phase "arrive", "pass": the phase. "expect": bytes. "named barrier": its number. "wgmma": its
 * columns. */
void record_access(observed_worker *w, const instruction *s, unsigned thread, uintptr_t address);
using event_numbers = std::array<int64_t, 5>;
void record_event(const char *kind, const site *where = nullptr, const void *memory = nullptr,
                  const event_numbers &numbers = {});
void record_step_fault(observed_worker *w, const char *kind, const place &at, uintptr_t address,
                       const std::string &message);
/* A bulk copy; barrier: of a load, else NULL. */
void record_bulk_copy(const char *kind, const site *where, const void *shared, const void *other,
                      unsigned bytes, const uint64_t *barrier, uint64_t phase);
/* What the thread that runs accesses from now on is that of an asynchronous copy, or not. */
void record_as_copy(observed_worker *w, bool copy);

} // namespace cudacpu::inspect
#endif
