/* check_mutants.c - the suite tested itself: each planted fault must be rejected. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define CUDA_STEP(id)
#define CPU_STEP(id)
#define MUTANT(id) matmult_time matmultCUDA_mutant_##id(const float *, int, const float *, int, float *, int, int);
#include "steps.h"
#undef MUTANT

#define MUTANT(id) {#id, matmultCUDA_mutant_##id},
static const struct {
    const char *name;
    cuda_step step;
} mutants[] = {
#include "steps.h"
    {NULL, NULL}};

/* Faults that a GPU shows only sometimes: races, and what lies in memory by chance. */
static const char *const by_chance[] = {"no_second_barrier", "no_first_barrier", "guard_off_by_one", "forgotten_memset", NULL};

START_TEST(rejected) {
    fflush(NULL);
    pid_t child = fork();
    ck_assert_msg(child >= 0, "fork failed");
    if (child == 0) {
        const char *fault;
        if (!freopen("/dev/null", "w", stderr))
            _exit(3);
        fault = verify_all(mutants[_i].step, mutants[_i].name, 1);
        _exit(fault ? 1 : 0);
    }
    int status = 0;
    ck_assert_msg(waitpid(child, &status, 0) == child, "waitpid failed");
    ck_assert_msg(!(WIFEXITED(status) && WEXITSTATUS(status) == 0), "the planted fault %s was not rejected", mutants[_i].name);
    ck_assert_msg(!(WIFEXITED(status) && WEXITSTATUS(status) == 3), "/dev/null could not be opened");
}
END_TEST

void add_mutants(Suite *suite) {
    TCase *tcase = new_case(suite, "mutants");
    for (int i = 0; mutants[i].name; i++) {
        int chance = 0;
        for (int k = 0; by_chance[k]; k++)
            chance |= strcmp(by_chance[k], mutants[i].name) == 0;
        if (chance && strcmp(BACKEND, "gpu") == 0)
            printf("SKIP mutant %s: a GPU shows this fault only sometimes\n", mutants[i].name);
        else
            tcase_add_loop_test(tcase, rejected, i, i + 1);
    }
}
