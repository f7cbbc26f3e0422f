/* pipeline.h - stages of shared memory between a producer and its consumers.
 * Chapter: docs/21_warp_specialized.md */
#ifndef PIPELINE_H
#define PIPELINE_H
#include "../19_bulk_copy/bulk_copy.h"
#include "../20_wgmma/wgmma.h"

enum {
    STAGES = 4,    /* two in use, two being filled */
    CONSUMERS = 2, /* warpgroups, one above the other in a tile of C */
    THREADS = (CONSUMERS + 1) * WARPGROUP
};

/* A block's stages, and two barriers for each: it is full; it is empty. A producer or a
 * consumer goes through them in a ring: at the stage of this index, in this phase. */
typedef struct pipeline {
    stage *stages;
    uint64_t *full, *empty;
    unsigned index, phase;
} pipeline;

/* The next stage. */
static __device__ void advance(pipeline *pipe) {
    pipe->index = (pipe->index + 1) % STAGES;
    pipe->phase ^= pipe->index == 0;
}
#endif
