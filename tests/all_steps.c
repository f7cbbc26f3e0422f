/* all_steps.c - the steps and the mutants that are in a suite, from the list that make writes. */
#define _POSIX_C_SOURCE 200809L
#include "all_steps.h"
#include <stddef.h>
#include <stdlib.h>

#define CUDA_STEP(name, facts)                                                                     \
    matmult_result matmultCUDA_##name(const float *, int, const float *, int, float *, int, int);
#define CPU_STEP(name, facts)                                                                      \
    void matmult_##name(const float *, int, const float *, int, float *, int, int);
#define KNOWN_STEP(name, facts, has_cuda)
#define MUTANT(of, name, facts, path) CUDA_STEP(mutant_##of##_##name, facts)
#define NARROW(name, facts) CUDA_STEP(narrow_##name, facts)
#include "steps.h"
#undef CUDA_STEP
#undef CPU_STEP
#undef KNOWN_STEP
#undef MUTANT
#undef NARROW

const listed_step all_steps[] = {
#define CUDA_STEP(name, facts) {NULL, &facts, 1, matmultCUDA_##name, NULL},
#define CPU_STEP(name, facts) {NULL, &facts, 0, NULL, matmult_##name},
#define KNOWN_STEP(name, facts, has_cuda) {NULL, &facts, has_cuda, NULL, NULL},
#define MUTANT(of, name, facts, path) {path, &facts, 1, matmultCUDA_mutant_##of##_##name, NULL},
#define NARROW(name, facts)
#include "steps.h"
    {NULL, NULL, 0, NULL, NULL},
};
#undef CUDA_STEP
#undef CPU_STEP
#undef KNOWN_STEP
#undef MUTANT
#undef NARROW
const int step_count = sizeof all_steps / sizeof *all_steps - 1;

static const struct {
    const step_facts *facts;
    cuda_step cuda;
} narrow_steps[] = {
#define CUDA_STEP(name, facts)
#define CPU_STEP(name, facts)
#define KNOWN_STEP(name, facts, has_cuda)
#define MUTANT(of, name, facts, path)
#define NARROW(name, facts) {&facts, matmultCUDA_narrow_##name},
#include "steps.h"
    {NULL, NULL},
};

cuda_step find_narrow(const step_facts *facts) {
    int i = 0;
    while (narrow_steps[i].facts && narrow_steps[i].facts != facts)
        i++;
    return narrow_steps[i].cuda;
}

void give_devices(const step_facts *facts) {
    if (facts->several_devices)
        setenv("CUDACPU_DEVICES", "3", 1);
}

const char *const world_names[WORLDS] = {"late", "early"};

void enter_world(world entered, const step_facts *facts) {
    setenv("CUDACPU_ASYNC", world_names[entered], 1);
    setenv("CUDACPU_MULTIPROCESSORS", entered == LATE ? "4" : "132", 1);
    setenv("CUDACPU_PROCESSORS", entered == LATE ? "1" : "2", 1);
    give_devices(facts);
}
