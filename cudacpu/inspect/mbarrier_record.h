/* mbarrier_record.h - what inspect keeps of an mbarrier. */
#ifndef CUDACPU_INSPECT_MBARRIER_RECORD_H
#define CUDACPU_INSPECT_MBARRIER_RECORD_H
#include "places.h"
#include <cstdint>
#include <map>
#include <vector>

namespace cudacpu::inspect {

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

} // namespace cudacpu::inspect
#endif
