/* all_steps.h - the steps and the mutants that are in a suite. */
#ifndef ALL_STEPS_H
#define ALL_STEPS_H
#include "step.h"
#include "verify.h"

typedef void (*cpu_step)(const float *, int, const float *, int, float *, int, int);

typedef struct listed_step {
    const char *mutant; /* STEP/NAME of the planted fault, as its script is called; NULL: the step
                           as it is */
    const step_facts *facts; /* a mutant is bound by those of its step */
    int has_cuda;
    cuda_step cuda; /* NULL: it has no CUDA, or the suite does not call it */
    cpu_step cpu;
} listed_step;

extern const listed_step all_steps[];
extern const int step_count;

/* The same step with panels of a tile's rows; NULL where the suite has none. */
cuda_step find_narrow(const step_facts *facts);

/* Before the first CUDA call: on the CPU there are three devices for a step that uses several. */
void give_devices(const step_facts *facts);

/* Two worlds, each for half of the products: those with even seeds, and those with odd ones.
 * Effects come late on few SMs, one block after the other: a missing wait shows. They come early on
 * many, blocks side by side: a stage that is filled too soon shows. A GPU reads none of this. */
typedef enum world { LATE, EARLY, WORLDS } world;
extern const char *const world_names[WORLDS];

/* Before the first CUDA call; gives devices too. */
void enter_world(world, const step_facts *facts);

#endif
