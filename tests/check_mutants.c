/* check_mutants.c - the suite itself: it must reject each step with a planted fault. */
#define _POSIX_C_SOURCE 200809L
#include "all_steps.h"
#include "command.h"
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Status 2, and the problem on stderr, where the step is wrong. */
static int report_problem(const void *argument) {
    const listed_step *step = argument;
    const char *problem = verify_step(step->cuda, step->facts);
    fputs(problem ? problem : "", stderr);
    return problem ? 2 : 0;
}

/* Rejected: by a comparison, or by cudacpu with a sentence; not by any odd failure. */
START_TEST(test_mutant) {
    const listed_step *step = &all_steps[_i];
    unsetenv("CHECK_SIZES"); /* some faults show at large n alone */
    outcome o = run_in_child(report_problem, step);
    ck_assert_msg((o.status == 2 && strchr(o.err, '[')) ||
                      (o.status == 1 && strncmp(o.err, "cudacpu: kernel", 15) == 0),
                  "the planted fault %s was not noticed: status %d, '%s'", step->mutant, o.status,
                  o.err);
}
END_TEST

/* A mutant whose fault a GPU may not show: a race, a write between two allocations, memory that
 * happens to be clear. compute-sanitizer is for those. */
static int may_hide(const char *mutant) {
    return strcmp(BACKEND, "gpu") == 0 &&
           (strstr(mutant, "barrier") || strstr(mutant, "guard") || strstr(mutant, "memset"));
}

void add_mutants(Suite *suite) {
    TCase *part = add_part(suite, "mutants", 600);
    for (int i = 0; i < step_count; i++) {
        const char *mutant = all_steps[i].mutant;
        if (mutant && may_hide(mutant))
            printf("SKIP mutant %s: its fault may go unnoticed on a GPU\n", mutant);
        else if (mutant)
            tcase_add_loop_test(part, test_mutant, i, i + 1);
    }
}
