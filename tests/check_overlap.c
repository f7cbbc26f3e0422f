/* check_overlap.c - steps that keep memory and threads, the first and the last of them: when a call
 * fails it says so in one sentence and exits with 1, and at the end nothing is left, failed or not.
 * On the CPU copies and kernels happen early, late, and at random. */
#define _POSIX_C_SOURCE 200809L
#include "all_steps.h"
#include "check_parts.h"
#include "command.h"
#include <stdio.h>
#include <string.h>

#define PROGRAMS BUILD "/tests/overlap/"

static const char *keeping[2]; /* names of the steps */

/* The function that fails, and which of its calls; n; and what the sentence has. NULL: the program
 * goes on without. */
static const struct {
    const char *function;
    int call, n;
    const char *sentence;
} FAULTS[] = {
    {"none", 1, 300, NULL},
    {"pthread_create", 1, 300, NULL},
    {"cudaMalloc", 1, 300, "out of memory"},
    {"cudaMallocHost", 1, 300, "out of memory"},
    {"cudaMallocHost", 5, 300, "out of memory"},
    {"cudaStreamCreateWithFlags", 1, 300, "out of memory"},
    {"cudaStreamCreateWithFlags", 2, 300, "out of memory"},
    {"cudaMemcpyAsync", 1, 300, "invalid argument"},
    {"cudaMemcpyAsync", 4, 300, "invalid argument"},  /* on the way up */
    {"cudaMemcpyAsync", 14, 300, "invalid argument"}, /* on the way down */
    {"cudaEventRecord", 3, 300, "unspecified launch failure"},
    {"cudaEventRecord", 9, 300, "unspecified launch failure"},
};

START_TEST(test_fault) {
    static const char *const MODES[] = {"early",
                                        "late",
                                        "random CUDACPU_SEED=1",
                                        "random CUDACPU_SEED=2",
                                        "random CUDACPU_SEED=3",
                                        "random CUDACPU_SEED=4"};
    const int fault = _i % COUNT_OF(FAULTS), step = _i / COUNT_OF(FAULTS);
    const int modes = step == 0 ? COUNT_OF(MODES) : 3; /* the host's side is the same */
    for (int mode = 0; mode < modes; mode++) {
        char command[300];
        snprintf(command, sizeof command, "CUDACPU_ASYNC=%s " PROGRAMS "%s %s %d %d 2", MODES[mode],
                 keeping[step], FAULTS[fault].function, FAULTS[fault].call, FAULTS[fault].n);
        const outcome o = run_command(command);
        const char *sentence = FAULTS[fault].sentence;
        ck_assert_msg(o.status == (sentence ? 1 : 0), "%s: status %d, %s", command, o.status,
                      o.err);
        ck_assert_msg(count_lines(o.err) == (sentence ? 1 : 0) &&
                          (!sentence || strstr(o.err, sentence)),
                      "%s printed: %s", command, o.err);
        ck_assert_msg(strcmp(o.out, "left: 0 of the device, 0 pinned, 0 threads\n") == 0, "%s: %s",
                      command, o.out);
    }
}
END_TEST

void add_overlap(Suite *suite) {
    int steps = 0;
    for (int i = 0; i < step_count; i++)
        if (!all_steps[i].mutant && find_narrow(all_steps[i].facts)) {
            keeping[steps > 0] = all_steps[i].facts->name;
            steps++;
        }
    if (steps == 0) {
        if (is_asked_for("overlap"))
            skip("overlap", "no step has panels");
        return;
    }
    tcase_add_loop_test(add_part(suite, "overlap", 120), test_fault, 0,
                        (steps > 1 ? 2 : 1) * COUNT_OF(FAULTS));
}
