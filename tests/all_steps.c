/* all_steps.c - the steps and the mutants that are in the suite, from the list that make writes. */
#include "all_steps.h"
#include <stddef.h>

#define CUDA_STEP(name, facts)                                                                     \
    matmult_result matmultCUDA_##name(const float *, int, const float *, int, float *, int, int);
#define CPU_STEP(name, facts)                                                                      \
    void matmult_##name(const float *, int, const float *, int, float *, int, int);
#define MUTANT(of, name, facts) CUDA_STEP(mutant_##name, facts)
#include "steps.h"
#undef CUDA_STEP
#undef CPU_STEP
#undef MUTANT

const listed_step all_steps[] = {
#define CUDA_STEP(name, facts) {NULL, &facts, matmultCUDA_##name, NULL},
#define CPU_STEP(name, facts) {NULL, &facts, NULL, matmult_##name},
#define MUTANT(of, name, facts) {#name, &facts, matmultCUDA_mutant_##name, NULL},
#include "steps.h"
};
const int step_count = sizeof all_steps / sizeof *all_steps;

const char *name_step(const listed_step *step) {
    return step->mutant ? step->mutant : step->facts->name;
}

const listed_step *find_cuda_step(void) {
    for (int i = 0; i < step_count; i++)
        if (!all_steps[i].mutant && all_steps[i].cuda)
            return &all_steps[i];
    return NULL;
}

const listed_step *find_cpu_step(void) {
    for (int i = 0; i < step_count; i++)
        if (all_steps[i].cpu)
            return &all_steps[i];
    return NULL;
}
