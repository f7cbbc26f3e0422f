/* check_stream_faults.c - programs that forget to wait for a stream: inspect names each planted
 * fault on its line and nothing else, and nothing in its twin; run shows most of them with
 * CUDACPU_ASYNC=late, and the twins are right whenever an operation is done. */
#define _POSIX_C_SOURCE 200809L
#include "command.h"
#include "inspect_parts.h"
#include <stdio.h>
#include <string.h>

#define SOURCE "cudacpu/inspect/tests/stream_faults.cu"
#define INSPECTED OBSERVED "/cudacpu/inspect/tests/stream_faults"
#define RUN BUILD "/cudacpu/inspect/tests/stream_faults"

/* The name of each fault in SOURCE, the kind that is reported on its line, and the status of run
 * with CUDACPU_ASYNC=late: 1 after a sentence, 3 with a wrong result, 0 where nothing is seen. */
static const struct {
    const char *name, *kind;
    int late;
} FAULTS[] = {
    {"read_pinned", "missing synchronisation", 1},
    {"write_pinned", "missing synchronisation", 1},
    {"wrong_stream", "missing synchronisation", 1},
    {"early_event", "missing synchronisation", 1},
    {"read_managed", "missing synchronisation", 3},
    {"read_mapped", "missing synchronisation", 3},
    {"write_registered", "missing synchronisation", 1},
    {"free_host", "freed while in use", 0},
    {"unregister", "freed while in use", 0},
    {"free_registered", "freed while in use", 3},
    {"free_async", "freed while in use", 1},
    {"free_stream_ordered", "freed while in use", 1},
    {"use_before_allocation", "missing event", 0},
    {"copy_and_kernel", "missing event", 3},
    {"two_kernels", "missing event", 3},
    {"filled_too_soon", "missing event", 3},
    {"two_writers", "missing event", 3},
    {"not_blocking", "missing event", 3},
    {"staged", "missing event", 3},
    {"wait_before_record", "missing event", 3},
    {"halves", "missing event", 0},
    {"totals", "missing event", 0},
    {"dependent_reads", "launch race", 3},
    {"dependent_writes", "launch race", 3},
    {"one_waits", "launch race", 3},
    {"not_triggered", "launch race", 0},
};

static int line_of(const char *name) {
    static char source[20000];
    char comment[100];
    int line = 1;
    read_text(SOURCE, source, sizeof source);
    snprintf(comment, sizeof comment, "/* fault: %s */", name);
    const char *found = strstr(source, comment);
    ck_assert_msg(found != NULL, SOURCE " has no %s", comment);
    for (const char *at = source; at < found; at++)
        line += *at == '\n';
    return line;
}

START_TEST(test_inspected) {
    char command[300], expected[200];
    snprintf(command, sizeof command, INSPECTED " %s 2>&1 | grep '^fault: '", FAULTS[_i].name);
    snprintf(expected, sizeof expected, "fault: %s: " SOURCE ":%d: ", FAULTS[_i].kind,
             line_of(FAULTS[_i].name));
    outcome o = run_command(command);
    ck_assert_msg(strncmp(o.out, expected, strlen(expected)) == 0 && count_lines(o.out) == 1,
                  "%s: '%s', not '%s'", command, o.out, expected);
    snprintf(command, sizeof command, INSPECTED " %s twin >/dev/null", FAULTS[_i].name);
    o = run_command(command);
    ck_assert_msg(o.status == 0, "%s: status %d, '%s'", command, o.status, o.err);
}
END_TEST

START_TEST(test_run) {
    static const char *const modes[] = {"early", "late", "random CUDACPU_SEED=5",
                                        "random CUDACPU_SEED=6"};
    char command[300];
    snprintf(command, sizeof command, "CUDACPU_ASYNC=late " RUN " %s", FAULTS[_i].name);
    outcome o = run_command(command);
    ck_assert_msg(o.status == FAULTS[_i].late, "%s: status %d, not %d, '%s'", command, o.status,
                  FAULTS[_i].late, o.err);
    for (int i = 0; i < COUNT_OF(modes); i++) {
        snprintf(command, sizeof command, "CUDACPU_ASYNC=%s " RUN " %s twin", modes[i],
                 FAULTS[_i].name);
        o = run_command(command);
        ck_assert_msg(o.status == 0, "%s: status %d, '%s'", command, o.status, o.err);
    }
}
END_TEST

/* What run says; %d stands for a line of SOURCE. */
START_TEST(test_sentence) {
    char expected[500];
    const int line = line_of("read_pinned");
    outcome o = run_command("CUDACPU_ASYNC=late " RUN " read_pinned");
    snprintf(expected, sizeof expected,
             "cudacpu: host code read memory that cudaMemcpyAsync (" SOURCE
             ":%d) in stream 1 has still to write, at " SOURCE
             ":%d; cudaStreamSynchronize waits for it\n",
             line - 3, line);
    ck_assert_str_eq(o.err, expected);
    o = run_command("CUDACPU_ASYNC=late " RUN " free_registered");
    snprintf(expected, sizeof expected,
             "cudacpu: cudaMemcpyAsync (" SOURCE
             ":%d) in stream 1: its memory was freed before it was done\n",
             line_of("free_registered"));
    ck_assert_str_eq(o.err, expected);
}
END_TEST

/* The default stream of the thread waits for no other: what is right with the legacy one is not. */
START_TEST(test_default_stream_of_thread) {
    outcome o = run_command("cudacpu/cpucc -O1 --default-stream per-thread " SOURCE " -o " RUN
                            "_thread && CUDACPU_ASYNC=late " RUN "_thread not_blocking twin");
    ck_assert_msg(o.status == 3, "status %d, '%s'", o.status, o.err);
}
END_TEST

START_TEST(test_wrong_words) {
    static const char *const wrong[][2] = {
        {"CUDACPU_ASYNC=soon", "cudacpu: CUDACPU_ASYNC is 'soon'; it must be early, late or "
                               "random\n"},
        {"CUDACPU_ASYNC=random CUDACPU_SEED=-1", "cudacpu: CUDACPU_SEED is '-1'; it must be a "
                                                 "number from 0 to 18446744073709551615\n"},
        {"CUDACPU_SHARED=1000", "cudacpu: CUDACPU_SHARED is '1000'; it must be two numbers of "
                                "bytes, such as 1000,2000\n"},
        {"CUDACPU_SHARED=-1,5", "cudacpu: CUDACPU_SHARED is '-1,5'; it must be two numbers of "
                                "bytes, such as 1000,2000\n"}};
    char command[300];
    snprintf(command, sizeof command, "%s " RUN " two_kernels twin", wrong[_i][0]);
    outcome o = run_command(command);
    ck_assert_msg(o.status == 2 && strcmp(o.err, wrong[_i][1]) == 0, "%s: status %d, '%s'", command,
                  o.status, o.err);
}
END_TEST

void add_stream_faults(Suite *suite) {
    TCase *part = add_part(suite, "stream_faults", 180);
    tcase_add_loop_test(part, test_inspected, 0, COUNT_OF(FAULTS));
    tcase_add_loop_test(part, test_run, 0, COUNT_OF(FAULTS));
    tcase_add_test(part, test_sentence);
    tcase_add_test(part, test_default_stream_of_thread);
    tcase_add_loop_test(part, test_wrong_words, 0, 4);
}
