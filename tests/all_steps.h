/* all_steps.h - the steps and the mutants that are in the suite. */
#ifndef ALL_STEPS_H
#define ALL_STEPS_H
#include "step.h"
#include "verify.h"

typedef void (*cpu_step)(const float *, int, const float *, int, float *, int, int);

typedef struct listed_step {
    const char *mutant;      /* name of the planted fault; NULL: the step as it is */
    const step_facts *facts; /* a mutant is bound by those of its step */
    cuda_step cuda;          /* NULL: a step without CUDA */
    cpu_step cpu;
} listed_step;

extern const listed_step all_steps[];
extern const int step_count;

/* The folder of a step, or the name of a mutant. */
const char *name_step(const listed_step *step);

/* The same step with panels of a tile's rows; NULL where it has no panels. */
cuda_step find_narrow(const step_facts *facts);

/* Before the first CUDA call: on the CPU there are three devices for a step that uses several. */
void give_devices(const step_facts *facts);

/* The first step with CUDA, or the first one without; NULL where there is none. */
const listed_step *find_cuda_step(void);
const listed_step *find_cpu_step(void);

#endif
