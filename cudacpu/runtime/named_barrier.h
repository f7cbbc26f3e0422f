/* named_barrier.h - bar.sync and barrier.sync: 16 barriers of a block, each for some of its
 * threads. */
#ifndef CUDACPU_RUNTIME_NAMED_BARRIER_H
#define CUDACPU_RUNTIME_NAMED_BARRIER_H
#include <cstdint>
#include <vector>

namespace cudacpu {

struct worker;

const unsigned NAMED_BARRIERS = 16;

struct named_barrier {
    const worker *block;
    unsigned number, expected;     /* threads */
    bool whole;                    /* of the whole block: threads that ended are not missing */
    unsigned arrived;              /* threads, so far */
    std::vector<unsigned> waiting; /* those of them that wait */
    uint64_t opened;               /* how often */
};

/* At the end of a block. */
void forget_named_barriers(worker *w);

} // namespace cudacpu
#endif
