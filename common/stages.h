/* stages.h - stages of shared memory between a producer and its consumers.
 * Chapter: docs/22_persistent.md */
#ifndef STAGES_H
#define STAGES_H
#include "wgmma.h"

enum {
    STAGES = 4,    /* two in use, two on their way */
    CONSUMERS = 2, /* warpgroups, one above the other */
    THREADS = (CONSUMERS + 1) * WARPGROUP
};

/* Slices of a tile's rows and columns. */
typedef struct stage {
    signed char a[TILE_BYTES], b[TILE_BYTES];
    vector_info rows[TILE], columns[TILE]; /* come with the last k of a tile of C */
} stage;

/* The stages of a block and their barriers: it has come; nobody needs it any more. */
typedef struct pipeline {
    stage *stages;
    uint64_t *full, *empty;
    unsigned turn; /* counts the stages in use, over all tiles of C */
} pipeline;
#endif
