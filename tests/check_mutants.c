/* check_mutants.c - the suite itself: it must reject each step with a planted fault. */
#define _POSIX_C_SOURCE 200809L
#include "all_steps.h"
#include "command.h"
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct trial {
    const listed_step *step;
    const char *mode;  /* when asynchronous effects happen on the CPU (CUDACPU_ASYNC) */
    const char *sizes; /* CHECK_SIZES, or NULL for all */
} trial;

/* Status 2, and the problem on stderr, where the step is wrong. */
static int report_problem(const void *argument) {
    const trial *t = argument;
    setenv("CUDACPU_ASYNC", t->mode, 1);
    t->sizes ? setenv("CHECK_SIZES", t->sizes, 1) : unsetenv("CHECK_SIZES");
    give_devices(t->step->facts);
    const char *problem = verify_step(t->step->cuda, t->step->facts);
    fputs(problem ? problem : "", stderr);
    return problem ? 2 : 0;
}

/* The first line that is no warning of cudacpu's. */
static const char *skip_warnings(const char *text) {
    static const char WARNING[] = "cudacpu: warning: ";
    while (strncmp(text, WARNING, strlen(WARNING)) == 0 && strchr(text, '\n'))
        text = strchr(text, '\n') + 1;
    return text;
}

/* Rejected: by a comparison, or by cudacpu with a sentence; not by any odd failure. Each mode hides
 * some faults: a missing wait shows where effects are late, a stage that is overwritten too soon
 * where they are early. One of them must reject; small sizes show most faults, and come first. */
START_TEST(test_mutant) {
    static const char *const MODES[] = {"late", "early", "random"};
    static const char FAULT[] = "cudacpu: kernel ";
    const listed_step *step = &all_steps[_i];
    const int modes = strcmp(BACKEND, "cpu") == 0 ? COUNT_OF(MODES) : 1; /* a GPU reads none */
    outcome o = {0};
    for (int m = 0; m < 2 * modes; m++) {
        const trial t = {step, MODES[m % modes], m < modes ? "small" : NULL};
        o = run_in_child(report_problem, &t);
        if ((o.status == 2 && strchr(o.err, '[')) ||
            (o.status == 1 && strncmp(skip_warnings(o.err), FAULT, strlen(FAULT)) == 0))
            return;
        if (m < modes)
            continue; /* it may have ended behind more warnings than are kept: all sizes decide */
        ck_assert_msg(o.status == 0, "%s, %s: status %d, '%s'", step->mutant, t.mode, o.status,
                      o.err);
    }
    ck_abort_msg("the planted fault %s was not noticed", step->mutant);
}
END_TEST

/* A mutant whose fault a GPU may not show: a race, a copy that happens to be in time, a write
 * between two allocations, memory that happens to be clear; or on which it would wait for ever. */
static int may_hide(const char *mutant) {
    static const char *const WORDS[] = {"barrier", "guard",  "memset",    "wait",        "soon",
                                        "parity",  "hears_", "half_of_b", "half_expects"};
    for (int i = 0; strcmp(BACKEND, "gpu") == 0 && i < COUNT_OF(WORDS); i++)
        if (strstr(mutant, WORDS[i]))
            return 1;
    return 0;
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
